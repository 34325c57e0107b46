package traffic

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxFaults is the largest number of faults per world, including finished ones.
const maxFaults = 1000

// FaultState is an added fault with its counters.
type FaultState struct {
	ID string `json:"id"` // "fault-1", numbered per world
	Fault
	Seen  int `json:"seen"`  // matching requests since the fault was added
	Fired int `json:"fired"` // requests that it hit
}

// String describes the fault in one line.
func (s FaultState) String() string {
	where := s.Match.Op
	if where == "" {
		where = strings.TrimSpace(s.Match.Method + " " + s.Match.Path + s.Match.Event)
	}
	if where == "" {
		where = "every event"
	}
	times := ""
	if s.Times > 1 {
		times = fmt.Sprintf(", %d of %d times", s.Fired, s.Times)
	}
	return fmt.Sprintf("%s (%s: %s, %d matching requests%s)", s.ID, where, s.Do.name(), s.Seen, times)
}

// name returns the action's name.
func (d Do) name() string {
	switch {
	case d.Status != 0:
		return "status " + strconv.Itoa(d.Status)
	case d.ResetAfterBytes != nil:
		return "reset_after_bytes"
	case d.CommitThenDrop:
		return "commit_then_drop"
	case d.Truncate != nil:
		return "truncate"
	case d.DuplicateWebhook:
		return "duplicate_webhook"
	}
	return "latency_ms"
}

// FaultChange is what happened to a fault.
type FaultChange string

const (
	FaultAdded   FaultChange = "added"
	FaultFired   FaultChange = "fired"
	FaultSpent   FaultChange = "spent" // it can't fire again
	FaultRemoved FaultChange = "removed"
)

// faults are the faults of one world, in the order they were added.
type faults struct {
	active  atomic.Int64                  // number of unfinished faults; requests skip the lock when it is 0
	changed func(FaultChange, FaultState) // see Config.FaultChanged; nil for nothing

	mu   sync.Mutex
	list []*armed
	last int
}

// AddFault adds a fault after the existing ones. The first matching, unfinished fault hits a request. CodeInvalid when it could never fire,
// CodeConflict when there are too many unfinished faults.
func (t *Traffic) AddFault(f Fault) (FaultState, error) {
	if err := f.Validate(); err != nil {
		return FaultState{}, err
	}
	if f.Times == 0 && f.Probability == 0 {
		f.Times = 1
	}
	f.Match.Nth = max(f.Match.Nth, 1)
	s := &t.faults
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxFaults && !s.removeExhausted() {
		return FaultState{}, engine.Errorf(engine.CodeConflict, "Fault", "There are already %d unfinished faults.", maxFaults).
			WithHint("Remove some: DELETE /_soundstage/faults.")
	}
	s.last++
	a := &armed{FaultState: FaultState{ID: "fault-" + strconv.Itoa(s.last), Fault: f}}
	if f.Probability > 0 {
		a.random = rand.New(rand.NewPCG(*f.Seed, 0))
	}
	s.list = append(s.list, a)
	s.active.Add(1)
	s.note(FaultAdded, a)
	return a.FaultState, nil
}

// note reports a change of a fault; mu is held.
func (s *faults) note(c FaultChange, a *armed) {
	if s.changed != nil {
		s.changed(c, a.FaultState)
	}
}

// removeExhausted removes the oldest finished fault and reports whether there was one.
func (s *faults) removeExhausted() bool {
	for i, a := range s.list {
		if a.exhausted() {
			s.list = append(s.list[:i:i], s.list[i+1:]...)
			s.note(FaultRemoved, a)
			return true
		}
	}
	return false
}

// take counts a request and returns the fault that hits it, if any.
func (s *faults) take(op string, req *http.Request) (FaultState, bool) {
	return s.hit(func(a *armed) bool { return a.matches(op, req) })
}

func (s *faults) hit(fits func(*armed) bool) (hit FaultState, ok bool) {
	if s.active.Load() == 0 {
		return FaultState{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.list {
		if !fits(a) {
			continue
		}
		if a.fires(ok) {
			hit, ok = a.FaultState, true
			s.note(FaultFired, a)
			if a.exhausted() {
				s.active.Add(-1)
				s.note(FaultSpent, a)
			}
		}
	}
	return hit, ok
}

// TakeDuplicate counts an event and reports whether it must be delivered twice. The sender calls it once for each event and webhook.
func (t *Traffic) TakeDuplicate(event string) bool {
	_, ok := t.faults.hit(func(a *armed) bool { return a.Do.DuplicateWebhook && (a.Match.Event == "" || a.Match.Event == event) })
	return ok
}

// Faults returns the faults that can still fire and those that have fired at least once, in the order they were added. A fault can be in
// both lists.
func (t *Traffic) Faults() (remaining, fired []FaultState) {
	t.faults.mu.Lock()
	defer t.faults.mu.Unlock()
	remaining, fired = []FaultState{}, []FaultState{}
	for _, a := range t.faults.list {
		if !a.exhausted() {
			remaining = append(remaining, a.FaultState)
		}
		if a.Fired > 0 {
			fired = append(fired, a.FaultState)
		}
	}
	return remaining, fired
}

// CountFaults returns the number of faults that can still fire, and of those that can't.
func (t *Traffic) CountFaults() (active, spent int) {
	t.faults.mu.Lock()
	defer t.faults.mu.Unlock()
	for _, a := range t.faults.list {
		if a.exhausted() {
			spent++
		}
	}
	return len(t.faults.list) - spent, spent
}

// RemoveFault removes a fault. CodeNotFound when there is none with this ID.
func (t *Traffic) RemoveFault(id string) error {
	s := &t.faults
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.list {
		if a.ID == id {
			if !a.exhausted() {
				s.active.Add(-1)
			}
			s.list = append(s.list[:i:i], s.list[i+1:]...)
			s.note(FaultRemoved, a)
			return nil
		}
	}
	return engine.Errorf(engine.CodeNotFound, "RemoveFault", "There is no fault with the id %.100q.", id)
}

// RemoveFaults removes every fault.
func (t *Traffic) RemoveFaults() {
	t.faults.mu.Lock()
	defer t.faults.mu.Unlock()
	removed := t.faults.list
	t.faults.list = nil
	t.faults.active.Store(0)
	for _, a := range removed {
		t.faults.note(FaultRemoved, a)
	}
}

// VerifyFaults returns the faults that have not fired as often as they should, and CodeConflict when there are any. A fault with a
// probability and without times must have fired once.
func (t *Traffic) VerifyFaults() ([]FaultState, error) {
	remaining, _ := t.Faults()
	unfired := []FaultState{}
	var names []string
	for _, s := range remaining {
		if s.Times > 0 || s.Fired == 0 {
			unfired = append(unfired, s)
			names = append(names, s.String())
		}
	}
	if len(unfired) == 0 {
		return unfired, nil
	}
	return unfired, engine.Errorf(engine.CodeConflict, "VerifyFaults", "Unfired faults: %s.", strings.Join(names, "; ")).
		WithHint("Send the matching requests, or remove the faults.")
}
