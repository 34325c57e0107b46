package sim

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// Pending is a job that has not ended.
type Pending struct {
	Job queue.Job
	// At is when the job begins, or when it ends if its attempt only waits for the clock. It is zero while the job works.
	At   time.Time
	Held bool // whether it is a held delivery
	// Absent reports whether it is the retry of a delivery whose receiver did not respond to the last attempt.
	Absent bool
}

// Working reports whether the job is doing its work, rather than waiting for the clock.
func (p Pending) Working() bool { return p.At.IsZero() }

// MaxPending is the most waiting jobs that Pending returns.
const MaxPending = 1000

// Pending returns the jobs that have not ended, ordered by At: those that work come first. It includes at most the MaxPending
// earliest of those that have not begun.
func (s *Simulation) Pending(ctx context.Context) ([]Pending, error) {
	var all []Pending
	err := s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		waiting, err := tx.WaitingJobs(MaxPending)
		if err != nil {
			return err
		}
		leased, err := tx.LeasedJobs()
		all = make([]Pending, 0, len(waiting)+len(leased))
		for _, j := range append(leased, waiting...) {
			all = append(all, s.pending(tx, j))
		}
		return err
	})
	slices.SortStableFunc(all, func(a, b Pending) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Job.ID, b.Job.ID)) })
	return all, err
}

func (s *Simulation) pending(tx engine.ReadTx, j queue.Job) Pending {
	if j.Status.Waiting() {
		return Pending{Job: j, At: j.RunAt, Absent: absent(tx, j)}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := Pending{Job: j}
	if a := s.running[j.ID]; a != nil {
		p.At, p.Held = a.end(), a.held
	}
	return p
}

// absent reports whether a waiting job is the retry of a delivery whose receiver did not respond.
func absent(tx engine.ReadTx, j queue.Job) bool {
	if j.Class != queue.ClassDeliver || j.Attempt == 0 {
		return false
	}
	d, err := tx.Delivery(engine.DeliveryID(j.Ref))
	return err == nil && len(d.Attempts) > 0 && d.Attempts[len(d.Attempts)-1].Status == 0
}

// brief is a wait that may be skipped although the receiver is absent: it can't come back meanwhile.
const brief = time.Second

// leftToClock reports whether a clock in mode auto may not be advanced to a job. The receiver may be restarting: it must find the
// rest of the schedule when it is back.
func (s *Simulation) leftToClock(p Pending) bool { return p.Absent && p.At.Sub(s.Now()) > brief }

// keysOf returns the keys of the jobs that there may be about some rows, among the kinds that work or those that deliver.
func keysOf(refs []string, deliveries bool) []string {
	kinds := workKinds
	if deliveries {
		kinds = deliveryKinds
	}
	keys := make([]string, 0, len(refs)*len(kinds))
	for _, ref := range refs {
		for _, kind := range kinds {
			keys = append(keys, queue.Key(kind, ref))
		}
	}
	return keys
}

// pendingOf returns the job with one of the keys that continues first, and the keys that have a job; there are none when no job is left.
// A working job comes last, because the clock may be moved to the others meanwhile. pendingOf ignores jobs for which skip is true.
func (s *Simulation) pendingOf(ctx context.Context, keys []string, skip func(Pending) bool) (first Pending, left []string, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		for _, key := range keys {
			j, err := tx.JobByKey(key)
			if engine.CodeOf(err) == engine.CodeNotFound {
				continue
			}
			if err != nil {
				return err
			}
			p := s.pending(tx, j)
			if skip(p) {
				continue
			}
			if len(left) == 0 || earlier(p.At, first.At) {
				first = p
			}
			left = append(left, key)
		}
		return nil
	})
	return first, left, err
}

// earlier reports whether a comes before b. The zero time comes last.
func earlier(a, b time.Time) bool {
	if a.IsZero() || b.IsZero() {
		return b.IsZero() && !a.IsZero()
	}
	return a.Before(b)
}

// nextWork returns when the next job continues that is neither a delivery nor maintenance. ok is false when there is none. The
// time is in the past when a job is due or working.
func (s *Simulation) nextWork(ctx context.Context) (at time.Time, ok bool, err error) {
	err = s.c.Store.View(ctx, func(tx engine.ReadTx) error {
		at, ok, err = tx.NextJobAt(workClasses, nil)
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
