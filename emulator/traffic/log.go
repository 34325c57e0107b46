package traffic

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
)

// log is a bounded queue of entries, oldest first.
type log struct {
	maxEntries int
	maxBytes   int64
	ended      func(*Entry) // see Config.Ended; nil for nothing

	mu      sync.Mutex
	entries []sized
	bytes   int64 // total size of entries
	last    int64 // number of the newest entry
	waiters map[*waiter]struct{}
}

// sized is an entry with its size when it was added. The queue drops it without a look at the entry itself, which has left the processor's caches
// long ago.
type sized struct {
	*Entry
	bytes int64
}

// waiter is one pending Wait.
type waiter struct {
	match Match
	need  int
	found []*Entry
	done  chan struct{} // closed when need entries have matched
}

func (l *log) add(e *Entry) {
	added := sized{e, e.size()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Number = l.last
	l.entries = append(l.entries, added)
	l.bytes += added.bytes
	if l.ended != nil {
		l.ended(e)
	}
	for len(l.entries) > l.maxEntries || l.bytes > l.maxBytes && len(l.entries) > 1 {
		l.bytes -= l.entries[0].bytes
		l.entries[0] = sized{}
		l.entries = l.entries[1:]
	}
	for w := range l.waiters {
		if !w.match.matches(e) {
			continue
		}
		if w.found = append(w.found, e.redact()); len(w.found) >= w.need {
			close(w.done)
			delete(l.waiters, w)
		}
	}
}

// find returns the matching entries, oldest first, and the number of the newest entry in the log.
func (l *log) find(m Match) (found []*Entry, last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.findLocked(m), l.last
}

func (l *log) findLocked(m Match) []*Entry {
	var found []*Entry
	for _, e := range l.entries {
		if m.matches(e.Entry) {
			found = append(found, e.redact())
		}
	}
	return found
}

// Find returns the matching exchanges in the log, oldest first. CodeInvalid when m can't match any.
func (t *Traffic) Find(m Match) ([]*Entry, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	found, _ := t.log.find(m)
	return found, nil
}

// Each calls yield for each of the newest limit matching exchanges in the log, oldest first; 0 means all. It stops at yield's error.
// An exchange that leaves the log before its turn is skipped, so a slow yield keeps none in memory. It returns the number of the exchange
// that had ended last at the start. CodeInvalid when m can't match any.
func (t *Traffic) Each(m Match, limit int, yield func(*Entry) error) (last int64, err error) {
	if err := m.Validate(); err != nil {
		return 0, err
	}
	numbers, last := t.log.numbers(m)
	if limit > 0 && len(numbers) > limit {
		numbers = numbers[len(numbers)-limit:]
	}
	for _, n := range numbers {
		if e := t.log.at(n); e != nil {
			if err := yield(e); err != nil {
				return last, err
			}
		}
	}
	return last, nil
}

// numbers returns the numbers of the matching entries, oldest first, and the number of the newest entry in the log.
func (l *log) numbers(m Match) (found []int64, last int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.entries {
		if m.matches(e.Entry) {
			found = append(found, e.Number)
		}
	}
	return found, l.last
}

// at returns the entry with a number, or nil when the log doesn't have it any more.
func (l *log) at(number int64) *Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	i, ok := slices.BinarySearchFunc(l.entries, number, func(e sized, n int64) int { return cmp.Compare(e.Number, n) })
	if !ok {
		return nil
	}
	return l.entries[i].redact()
}

// Count returns the number of matching exchanges in the log. CodeInvalid when m can't match any.
func (t *Traffic) Count(m Match) (int, error) {
	found, err := t.Find(m)
	return len(found), err
}

// Last returns the number of the exchange that ended last, 0 when there was none. Use it as Match.Since to find only later exchanges.
func (t *Traffic) Last() int64 {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	return t.log.last
}

// CountByClass returns the number of exchanges in the log by the class of their status, such as "4xx"; "none" is no response.
func (t *Traffic) CountByClass() map[string]int {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	counts := map[string]int{}
	for _, e := range t.log.entries {
		class := "none"
		if e.Status > 0 {
			class = strconv.Itoa(e.Status/100) + "xx"
		}
		counts[class]++
	}
	return counts
}

// Len returns the number of exchanges in the log.
func (t *Traffic) Len() int {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	return len(t.log.entries)
}

// Clear removes every exchange. Numbering continues.
func (t *Traffic) Clear() {
	t.log.mu.Lock()
	defer t.log.mu.Unlock()
	t.log.entries, t.log.bytes = nil, 0
}

// Wait returns the matching exchanges, old and new, as soon as there are at least count. When ctx ends first, it returns CodeCanceled and
// the matches so far; when the world is closed, CodeUnavailable. CodeInvalid when m can't match any or count is out of range.
func (t *Traffic) Wait(ctx context.Context, m Match, count int) ([]*Entry, error) {
	const op = "Wait"
	if err := m.Validate(); err != nil {
		return nil, err
	}
	l := &t.log
	if count < 1 || count > l.maxEntries {
		return nil, engine.Errorf(engine.CodeInvalid, op, "count must be from 1 to %d, the size of the log (got %d).", l.maxEntries, count)
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
		err = engine.Errorf(engine.CodeCanceled, op, "The expected requests did not arrive in time.").Because(context.Cause(ctx))
	case <-t.done:
		err = engine.Errorf(engine.CodeUnavailable, op, "The world was closed.")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiters, w)
	if len(w.found) >= count { // the last match arrived concurrently
		return w.found, nil
	}
	return w.found, err
}
