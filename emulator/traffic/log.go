package traffic

import (
	"context"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// log is a bounded queue of entries, the oldest first.
type log struct {
	maxEntries int
	maxBytes   int64

	mu      sync.Mutex
	entries []*Entry
	bytes   int64 // of entries
	last    int64 // number of the last entry
	waiters map[*waiter]struct{}
}

// waiter is somebody who waits for entries.
type waiter struct {
	match Match
	need  int
	found []*Entry
	done  chan struct{} // closed when need are found
}

func (l *log) add(e *Entry) {
	e.bytes = e.size()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Number = l.last
	l.entries = append(l.entries, e)
	l.bytes += e.bytes
	for len(l.entries) > l.maxEntries || l.bytes > l.maxBytes && len(l.entries) > 1 {
		l.bytes -= l.entries[0].bytes
		l.entries[0] = nil
		l.entries = l.entries[1:]
	}
	for w := range l.waiters {
		if !w.match.fits(e) {
			continue
		}
		if w.found = append(w.found, e.open()); len(w.found) >= w.need {
			close(w.done)
			delete(l.waiters, w)
		}
	}
}

// find returns the entries that fit, the oldest first, and the number of the last entry of all.
func (l *log) find(m Match) (found []*Entry, last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.findLocked(m), l.last
}

func (l *log) findLocked(m Match) []*Entry {
	var found []*Entry
	for _, e := range l.entries {
		if m.fits(e) {
			found = append(found, e.open())
		}
	}
	return found
}

// Find returns the remembered exchanges that fit, the oldest first. CodeInvalid when none could.
func (t *Traffic) Find(m Match) ([]*Entry, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	found, _ := t.log.find(m)
	return found, nil
}

// Count returns how many of the remembered exchanges fit. CodeInvalid when none could.
func (t *Traffic) Count(m Match) (int, error) {
	found, err := t.Find(m)
	return len(found), err
}

// Last is the number of the exchange that ended last, 0 when there was none: the Since of what comes now.
func (t *Traffic) Last() int64 {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	return t.log.last
}

// Clear forgets every exchange. The numbers go on.
func (t *Traffic) Clear() {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.entries, t.log.bytes = nil, 0
}

// Wait returns when at least count exchanges fit, those that are remembered already and those that come, with all of them. When ctx ends
// first, it is CodeCanceled and what was found so far; CodeUnavailable when the world is closed, CodeInvalid when none could fit.
func (t *Traffic) Wait(ctx context.Context, m Match, count int) ([]*Entry, error) {
	const op = "Wait"
	if err := m.Validate(); err != nil {
		return nil, err
	}
	l := &t.log
	if count < 1 || count > l.maxEntries {
		return nil, engine.Errorf(engine.CodeInvalid, op, "count must be a number from 1 to %d, as many as are remembered.", l.maxEntries)
	}
	l.mu.Lock()
	w := &waiter{match: m, need: count, found: l.findLocked(m), done: make(chan struct{})}
	if len(w.found) >= count {
		l.mu.Unlock()
		return w.found, nil
	}
	if l.waiters == nil {
		l.waiters = map[*waiter]struct{}{}
	}
	l.waiters[w] = struct{}{}
	l.mu.Unlock()
	var err error
	select {
	case <-w.done:
		return w.found, nil
	case <-ctx.Done():
		err = engine.Errorf(engine.CodeCanceled, op, "The requests that were waited for did not come in time.").Because(context.Cause(ctx))
	case <-t.done:
		err = engine.Errorf(engine.CodeUnavailable, op, "The world was closed.")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiters, w)
	if len(w.found) >= count { // it came in the same moment
		return w.found, nil
	}
	return w.found, err
}
