package emulator

import (
	"context"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// watchedStore is the Store of a world's engine. It reports every job that an Update has written, in the order of the commits.
type watchedStore struct {
	engine.Store
	watching func() bool     // whether anybody wants to know
	changed  func(queue.Job) // called after the commit

	mu    sync.Mutex
	queue []*jobChanges // of Updates that have not been reported, in the order of their ends
}

// jobChanges are the jobs that one Update wrote.
type jobChanges struct {
	jobs      []queue.Job
	ended     bool // the Update has returned
	committed bool
}

var _ engine.ExclusiveStore = (*watchedStore)(nil)

// Exclusive implements engine.ExclusiveStore.
func (s *watchedStore) Exclusive() bool {
	x, ok := s.Store.(engine.ExclusiveStore)
	return ok && x.Exclusive()
}

// Update runs fn in an Update of the store. Updates are serialised, so they commit in the order in which their fn returns; but they return in
// any order.
func (s *watchedStore) Update(ctx context.Context, fn func(engine.Tx) error) (err error) {
	if !s.watching() {
		return s.Store.Update(ctx, fn)
	}
	var own *jobChanges
	committed := false
	defer func() { s.end(own, committed) }()
	err = s.Store.Update(ctx, func(tx engine.Tx) error {
		s.end(own, false) // an earlier call of fn was rolled back
		own = nil
		w := &jobWatch{Tx: tx}
		if err := fn(w); err != nil || len(w.jobs) == 0 {
			return err
		}
		own = &jobChanges{jobs: w.jobs}
		s.mu.Lock()
		s.queue = append(s.queue, own)
		s.mu.Unlock()
		return nil
	})
	committed = err == nil
	return err
}

// end notes the end of an Update, and reports all that is complete.
func (s *watchedStore) end(c *jobChanges, committed bool) {
	if c == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.ended, c.committed = true, committed
	for len(s.queue) > 0 && s.queue[0].ended {
		first := s.queue[0]
		s.queue = s.queue[1:]
		if first.committed {
			for _, j := range first.jobs {
				s.changed(j)
			}
		}
	}
}

// jobWatch is a Tx that collects the jobs that it writes.
type jobWatch struct {
	engine.Tx
	jobs []queue.Job
}

// Unwrap returns the store's own transaction, which may have more abilities.
func (w *jobWatch) Unwrap() engine.Tx { return w.Tx }

// PutJob implements engine.Tx.
func (w *jobWatch) PutJob(j queue.Job) error {
	err := w.Tx.PutJob(j)
	if err == nil {
		w.jobs = append(w.jobs, j)
	}
	return err
}

// Enqueue implements engine.Tx. It may do nothing, if a job with the key exists.
func (w *jobWatch) Enqueue(j queue.Job) error {
	if err := w.Tx.Enqueue(j); err != nil {
		return err
	}
	stored, err := w.Tx.Job(j.ID)
	if engine.CodeOf(err) == engine.CodeNotFound {
		return nil
	}
	w.jobs = append(w.jobs, stored)
	return err
}
