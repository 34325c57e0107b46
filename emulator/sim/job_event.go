package sim

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

// JobEvent is a change of a job while the clock was advanced.
type JobEvent struct {
	At       time.Time
	Kind     queue.Kind
	Resource string // ID that clients know
	Status   string // of the resource after the change, or once it is final, after all changes at that time; "begun" or "done" if it has none

	terminal bool // whether Status is final
}

// record adds an event to the running advance, if any. begun means that the attempt has begun and waits for the clock; otherwise
// it has ended.
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
		e.Resource, e.Status, e.terminal = r.ID, r.Status, r.Terminal
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events != nil {
		*s.events = append(*s.events, e)
	}
}

// recordTo makes record append to events. nil stops recording.
func (s *Simulation) recordTo(events *[]JobEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = events
}

// settleStatuses gives the events of a resource at one time its final status, if it has one by then. Without that, the status after a job
// would depend on whether the next job of the same time has ended when it is read.
func settleStatuses(events []JobEvent) {
	type moment struct {
		at       int64
		resource string
	}
	final := map[moment]string{}
	for _, e := range events {
		if e.terminal {
			final[moment{e.At.UnixNano(), e.Resource}] = e.Status
		}
	}
	for i, e := range events {
		if status, ok := final[moment{e.At.UnixNano(), e.Resource}]; ok {
			events[i].Status = status
		}
	}
}

// byTime orders events by time. At the same time, work comes before its webhooks and these before clean-up, in a deterministic
// order.
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
