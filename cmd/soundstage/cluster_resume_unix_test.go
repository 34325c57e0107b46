//go:build unix

package main

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// resumes measures how long jobs wait after their worker is gone.
type resumes struct {
	mu      sync.Mutex
	pending []interruption
	after   map[string]*durations // by how the worker ended
}

// interruption is a job whose worker has ended.
type interruption struct {
	job, how string
	at       time.Time
}

// add notes that the worker of jobs has ended now.
func (r *resumes) add(how string, jobs []string, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, job := range jobs {
		r.pending = append(r.pending, interruption{job, how, at})
	}
}

// settle waits until every job was resumed, each within its limit. A job whose answer arrived just before its worker ended may have ended with
// it, and needs nobody to resume it. All jobs must have ended.
func (r *resumes) settle(t *testing.T, m *slowModel, limits map[string]time.Duration) {
	t.Helper()
	r.mu.Lock()
	pending := r.pending
	r.pending = nil
	if r.after == nil {
		r.after = map[string]*durations{}
	}
	r.mu.Unlock()
	for _, one := range pending {
		var at time.Time
		eventually(t, one.job, func() (string, bool) {
			at = m.resumed(one.job, one.at)
			return "interrupted by " + one.how, !at.IsZero() || m.answered(one.job)
		})
		if at.IsZero() {
			continue
		}
		if r.after[one.how] == nil {
			r.after[one.how] = &durations{}
		}
		waited := at.Sub(one.at)
		r.after[one.how].add(waited)
		if limit := limits[one.how]; limit > 0 && waited > limit {
			t.Errorf("job %s was resumed %v after its worker ended by %s; the limit is %v", one.job, waited, one.how, limit)
		}
	}
}

func (r *resumes) String() string {
	s := ""
	for how, d := range r.after {
		s += fmt.Sprintf("; resumed after %s: %v", how, d)
	}
	return s
}
