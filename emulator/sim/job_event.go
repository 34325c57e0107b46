package sim

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// JobEvent is something that a job did while the clock was moved.
type JobEvent struct {
	At       time.Time
	Kind     queue.Kind
	Resource string // ID of what it is about, as a client knows it
	Status   string // of the resource then; "begun" or "done" where it has none
}

// record notes that an attempt of a job has begun and goes on when the clock says so, or else that it is over, if an advance wants to
// know.
func (s *Simulation) record(j queue.Job, begun bool) {
	s.mu.Lock()
	wanted := s.events != nil
	s.mu.Unlock()
	if !wanted {
		return
	}
	status := "done"
	if begun {
		status = "begun"
	}
	e := JobEvent{At: s.Now(), Kind: j.Kind, Resource: j.Ref, Status: status}
	if r, err := s.ResourceStatus(context.Background(), j.Ref); err == nil {
		e.Resource, e.Status = r.ID, r.Status
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events != nil {
		*s.events = append(*s.events, e)
	}
}

// recordTo makes record append to events, nil for nowhere.
func (s *Simulation) recordTo(events *[]JobEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = events
}

// byTime orders events. What happened at one time did so at once: work comes before the webhooks about it, these before clean-up, and in
// each the order is always the same.
func byTime(a, b JobEvent) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Resource, b.Resource))
}

func rank(kind queue.Kind) int {
	switch k := string(kind); {
	case strings.HasSuffix(k, ".clean"), strings.HasSuffix(k, ".expire"):
		return 2
	case strings.HasPrefix(k, "webhook."):
		return 1
	}
	return 0
}
