package main

import (
	"context"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// fullDiskWait is how long the disk may stay full before a command gives up. The engine itself waits for space without end, as a server
// should.
const fullDiskWait = 5 * time.Second

// diskStore is the store of a library. It notices that the disk stays full.
type diskStore struct {
	*sqlite.Store
	mu     sync.Mutex
	since  time.Time   // of the first Update without space after the last one that was written; zero if there is none
	giveUp func(error) // called with the error of Updates that have had no space for fullDiskWait; nil to wait
}

// Update is that of sqlite.Store.
func (s *diskStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	err := s.Store.Update(ctx, fn)
	s.note(err, time.Now())
	return err
}

// note takes the result of an Update.
func (s *diskStore) note(err error, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		s.since = time.Time{}
	case engine.CodeOf(err) != engine.CodeNoSpace:
	case s.since.IsZero():
		s.since = now
	case now.Sub(s.since) >= fullDiskWait && s.giveUp != nil:
		s.giveUp(err)
	}
}

// onFull sets what is called when the disk stays full, and returns a function that ends that.
func (s *diskStore) onFull(giveUp func(error)) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.giveUp = giveUp
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.giveUp = nil
	}
}
