package engine

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// Pending is a job that isn't over.
type Pending struct {
	ID      JobID
	Kind    JobKind
	Class   JobClass
	Ref     string    // id of the row that it is about
	Status  JobStatus // JobQueued, JobRetrying or JobRunning
	Attempt int       // tries that have begun
	// At is when it goes on: when it is begun, or, when it is running and only waits for the clock, when it ends. The zero time when it
	// is working.
	At   time.Time
	Kept bool // whether it is a delivery that a DeliveryGate keeps back
}

// Working reports whether the job waits for nothing but its own work.
func (p Pending) Working() bool { return p.At.IsZero() }

// MaxPending is how many jobs that are not begun yet Pending tells of.
const MaxPending = 1000

// Pending returns what isn't over: first the jobs that are working, then the others by when they go on; of the jobs that are not begun
// yet at most the MaxPending earliest.
func (e *Engine) Pending(ctx context.Context) ([]Pending, error) {
	var waiting, leased []Job
	err := e.store.View(ctx, func(tx ReadTx) (err error) {
		if waiting, err = tx.WaitingJobs(MaxPending); err != nil {
			return err
		}
		leased, err = tx.LeasedJobs()
		return err
	})
	if err != nil {
		return nil, wrap("Pending", err)
	}
	all := make([]Pending, 0, len(waiting)+len(leased))
	for _, j := range append(leased, waiting...) {
		all = append(all, e.pendingOf(j))
	}
	slices.SortStableFunc(all, func(a, b Pending) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

// PendingOf returns the jobs about a row, named by its id, that aren't over, in the order of Pending.
func (e *Engine) PendingOf(ctx context.Context, ref string) ([]Pending, error) {
	var found []Pending
	err := e.store.View(ctx, func(tx ReadTx) error {
		found = nil
		for kind := range e.handlers {
			j, err := tx.JobByKey(string(kind) + ":" + ref)
			switch CodeOf(err) {
			case "":
				found = append(found, e.pendingOf(j))
			case CodeNotFound:
			default:
				return err
			}
		}
		return nil
	})
	slices.SortFunc(found, func(a, b Pending) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return found, wrap("PendingOf", err)
}

func (e *Engine) pendingOf(j Job) Pending {
	p := Pending{ID: j.ID, Kind: j.Kind, Class: j.Class, Ref: j.Ref, Status: j.Status, Attempt: j.Attempt}
	if j.Status.Waiting() {
		p.At = j.RunAt
		return p
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if t := e.running[j.ID]; t != nil {
		p.At, p.Kept = t.until, t.kept
	}
	return p
}

// NextWork returns when the first job that is neither a delivery nor maintenance goes on; ok is false when there is none, and the time
// has been reached when one is working or due.
func (e *Engine) NextWork(ctx context.Context) (at time.Time, ok bool, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		at, ok, err = tx.NextJobAt([]JobClass{ClassTranscribe, ClassImport, ClassGenerate, ClassRender})
		return err
	})
	ok = ok && at.Before(never)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.running {
		if t.job.Class == ClassDeliver || t.job.Class == ClassMaintain {
			continue
		}
		if !ok || t.until.Before(at) {
			at, ok = t.until, true
		}
	}
	return at, ok, wrap("NextWork", err)
}
