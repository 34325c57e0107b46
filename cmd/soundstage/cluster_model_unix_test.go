//go:build unix

package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// slowModel is a server with the API of a language model. It answers after a time, and notes which worker asks about which job and when.
type slowModel struct {
	*httptest.Server

	mu    sync.Mutex
	tries map[string][]*try // of jobs, by name
	hold  chan struct{}     // answers about jobs named held-… wait until it is closed
}

// try is one attempt of a job.
type try struct {
	worker   string
	began    time.Time
	answered bool
	ended    bool // answered, or the worker has closed the connection
}

// jobName matches the name of a job in a prompt.
var jobName = regexp.MustCompile(`(output|question|slow|held)-\d+`)

func newSlowModel(t *testing.T) *slowModel {
	t.Helper()
	m := &slowModel{tries: map[string][]*try{}, hold: make(chan struct{})}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(func() { m.release(); m.CloseClientConnections(); m.Close() })
	return m
}

func (m *slowModel) answer(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	worker, _, _ := strings.Cut(strings.TrimPrefix(req.URL.Path, "/"), "/")
	name := jobName.FindString(string(body))
	one := &try{worker: worker, began: time.Now()}
	m.mu.Lock()
	m.tries[name] = append(m.tries[name], one)
	hold := m.hold
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		one.ended = true
	}()
	var done <-chan struct{}
	after := time.After(time.Duration(rand.Int64N(int64(200 * time.Millisecond))))
	switch {
	case strings.HasPrefix(name, "slow-"):
		after = time.After(2*time.Second + time.Duration(rand.Int64N(int64(2*time.Second))))
	case strings.HasPrefix(name, "held-"):
		after, done = nil, hold
	}
	select {
	case <-req.Context().Done():
		return
	case <-after:
	case <-done:
	}
	m.mu.Lock()
	one.answered = true
	m.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"choices": [{"message": {"role": "assistant", "content": "Written for %s by %s."}, "finish_reason": "stop"}]}`, name, worker)
}

// release answers about all held jobs.
func (m *slowModel) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	select {
	case <-m.hold:
	default:
		close(m.hold)
	}
}

// holdAgain makes answers about held jobs wait again.
func (m *slowModel) holdAgain() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hold = make(chan struct{})
}

// running returns the names of the jobs that a worker asks about now.
func (m *slowModel) running(worker string) (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, list := range m.tries {
		for _, one := range list {
			if one.worker == worker && !one.ended {
				names = append(names, name)
			}
		}
	}
	return names
}

// resumed returns when a worker asked about a job again, after a time; the zero time for never.
func (m *slowModel) resumed(name string, after time.Time) time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, one := range m.tries[name] {
		if one.began.After(after) {
			return one.began
		}
	}
	return time.Time{}
}

// answered reports whether the last question about a job has an answer, and no worker asked again.
func (m *slowModel) answered(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.tries[name]
	return len(list) > 0 && list[len(list)-1].answered
}

// count returns how often workers asked about a job.
func (m *slowModel) count(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.tries[name])
}
