package sim

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Pending is a job that isn't over.
type Pending struct {
	Job queue.Job
	// At is when it goes on: when it begins, or when it ends if its attempt only waits for the clock. The zero time while it works.
	At   time.Time
	Held bool // whether it is a delivery that is held
}

// Working reports whether the job waits for nothing but its own work.
func (p Pending) Working() bool { return p.At.IsZero() }

// MaxPending is how many jobs that have not begun Pending returns.
const MaxPending = 1000

// Pending returns the jobs that aren't over: first those that are working, then the others by when they go on; of those that have not
// begun at most the MaxPending earliest.
func (s *Simulation) Pending(ctx context.Context) ([]Pending, error) {
	var waiting, leased []queue.Job
	err := s.c.Store.View(ctx, func(tx engine.ReadTx) (err error) {
		if waiting, err = tx.WaitingJobs(MaxPending); err != nil {
			return err
		}
		leased, err = tx.LeasedJobs()
		return err
	})
	all := make([]Pending, 0, len(waiting)+len(leased))
	for _, j := range append(leased, waiting...) {
		all = append(all, s.pending(j))
	}
	slices.SortStableFunc(all, func(a, b Pending) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Job.ID, b.Job.ID)) })
	return all, err
}

func (s *Simulation) pending(j queue.Job) Pending {
	if j.Status.Waiting() {
		return Pending{Job: j, At: j.RunAt}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Pending{Job: j}
	if a := s.running[j.ID]; a != nil {
		p.At, p.Held = a.end(), a.held
	}
	return p
}

// pendingOf returns which job about some rows goes on first, of the kinds that work, or of those that deliver. One that is working comes
// last, since the clock may be moved to the others meanwhile.
func (s *Simulation) pendingOf(ctx context.Context, refs []string, deliveries bool) (first Pending, ok bool, err error) {
	kinds := workKinds
	if deliveries {
		kinds = deliveryKinds
	}
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		for _, ref := range refs {
			for _, kind := range kinds {
				j, err := tx.JobByKey(queue.Key(kind, ref))
				if engine.CodeOf(err) == engine.CodeNotFound {
					continue
				}
				if err != nil {
					return err
				}
				if p := s.pending(j); !ok || earlier(p.At, first.At) {
					first, ok = p, true
				}
			}
		}
		return nil
	})
	return first, ok, err
}

// earlier compares when jobs go on.
func earlier(a, b time.Time) bool {
	if a.IsZero() || b.IsZero() {
		return b.IsZero() && !a.IsZero()
	}
	return a.Before(b)
}

// nextWork returns when the first job that is neither a delivery nor maintenance goes on. ok is false when there is none; the time has
// been reached when one is working or due.
func (s *Simulation) nextWork(ctx context.Context) (at time.Time, ok bool, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		at, ok, err = tx.NextJobAt(workClasses)
		return err
	})
	ok = ok && at.Before(queue.Never)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.running {
		if !slices.Contains(workClasses, a.Job.Class) {
			continue
		}
		if end := a.end(); !ok || end.Before(at) {
			at, ok = end, true
		}
	}
	return at, ok, err
}
