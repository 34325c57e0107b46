package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// DefaultEventLimit and DefaultEventAge are the defaults of Config.EventLimit and Config.EventAge.
	DefaultEventLimit = 50_000
	DefaultEventAge   = 7 * 24 * time.Hour

	eventBatch    = 256  // events that a subscriber reads at once
	eventTail     = 1024 // newest events kept in memory, at least
	maxProgress   = 1000 // rows whose progress is kept in memory
	pruneInterval = 64   // events between two removals of old ones
)

// eventLog reads the stored events for all subscribers of an engine: the newest ones, which most of them read, once. It keeps the latest
// progress of each row that is worked on. Its memory doesn't depend on the number or the speed of its subscribers.
type eventLog struct {
	store  Store // not watched
	now    func() time.Time
	limit  int
	maxAge time.Duration

	filling sync.Mutex // held while the tail is read from the store

	mu       sync.Mutex
	changed  chan struct{} // closed when there is something to read
	stale    bool          // whether the store may have events after the tail
	from     int64         // the tail has every event after this number
	tail     []Event       // never modified in place, because subscribers read it
	members  uint64        // increased when members of spaces change
	reports  uint64        // number of progress reports
	progress map[any]report
}

// report is the latest progress of a row.
type report struct {
	Event
	number uint64 // of the report
}

func newEventLog(store Store, c Config, now func() time.Time) *eventLog {
	l := &eventLog{
		store: store, now: now, limit: c.EventLimit, maxAge: c.EventAge, changed: make(chan struct{}), stale: true, progress: map[any]report{},
	}
	if l.limit <= 0 {
		l.limit = DefaultEventLimit
	}
	if l.maxAge <= 0 {
		l.maxAge = DefaultEventAge
	}
	return l
}

// prune removes old events, in the transaction that wrote n events up to the number last. It removes at most twice as many as have come
// since the last time, so that the log shrinks even while events come.
func (l *eventLog) prune(tx Tx, last int64, n int) error {
	interval := int64(min(pruneInterval, l.limit))
	if last/interval == (last-int64(n))/interval {
		return nil
	}
	_, err := tx.DeleteEvents(l.now().Add(-l.maxAge), l.limit, 2*max(n, pruneInterval))
	return err
}

// ending forgets the progress of rows whose final status is about to be committed, so that nobody reads it after the final event.
func (l *eventLog) ending(events []Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, v := range events {
		if v.Over() {
			delete(l.progress, v.subject())
		}
	}
}

// committed tells the subscribers of a transaction.
func (l *eventLog) committed(w *watchedTx) {
	if w.last == 0 && len(w.progress) == 0 && !w.members {
		return
	}
	l.ending(w.events)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale = l.stale || w.last > 0
	if w.members {
		l.members++
	}
	for _, v := range w.progress {
		l.keep(v)
	}
	l.wake()
}

// report tells the subscribers of progress that no row has.
func (l *eventLog) report(v Event) {
	v.At = l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keep(v)
	l.wake()
}

// keep makes a report the latest of its row; mu is held.
func (l *eventLog) keep(v Event) {
	if _, known := l.progress[v.subject()]; !known && len(l.progress) >= maxProgress {
		var oldest any
		for id, r := range l.progress {
			if oldest == nil || r.number < l.progress[oldest].number {
				oldest = id
			}
		}
		delete(l.progress, oldest)
	}
	l.reports++
	l.progress[v.subject()] = report{v, l.reports}
}

func (l *eventLog) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// touch makes the next read look for events of other processes.
func (l *eventLog) touch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stale = true
}

// look is what a subscriber sees at one time.
type look struct {
	changed  <-chan struct{} // closed when there is more
	reports  []report        // newer than the subscriber's last one, oldest first
	reported uint64          // number of the last report
	members  uint64
}

func (l *eventLog) look(reported uint64) look {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := look{changed: l.changed, reported: l.reports, members: l.members}
	if reported == l.reports {
		return now
	}
	for _, r := range l.progress {
		if r.number > reported {
			now.reports = append(now.reports, r)
		}
	}
	slices.SortFunc(now.reports, func(a, b report) int { return cmp.Compare(a.number, b.number) })
	return now
}

// read returns the events after a number, at most a batch. last says that there were no more. Callers must not modify them. Errors: those
// of checkCursor and of the store.
func (l *eventLog) read(ctx context.Context, after int64) (events []Event, last bool, err error) {
	if events, last, ok := l.cached(after); ok {
		return events, last, nil
	}
	l.filling.Lock()
	defer l.filling.Unlock()
	if events, last, ok := l.cached(after); ok { // another subscriber has read them meanwhile
		return events, last, nil
	}
	l.mu.Lock()
	old := after < l.from
	if !old {
		l.stale = false // before reading, so that a later commit sets it again
	}
	l.mu.Unlock()
	events, err = l.load(ctx, after)
	if err != nil {
		l.touch()
		return nil, false, err
	}
	last = len(events) < eventBatch
	if !old {
		l.extend(after, events, last)
	}
	return events, last, nil
}

// cached returns events from the tail. ok is false if the store must be read.
func (l *eventLog) cached(after int64) (events []Event, last, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if after < l.from || after > l.end() {
		return nil, false, false
	}
	i, _ := slices.BinarySearchFunc(l.tail, after+1, func(v Event, n int64) int { return cmp.Compare(v.Number, n) })
	rest := l.tail[i:]
	if len(rest) == 0 && l.stale {
		return nil, false, false
	}
	n := min(len(rest), eventBatch)
	return slices.Clip(rest[:n]), n == len(rest) && !l.stale, true
}

// end returns the number of the last event of the tail; mu is held.
func (l *eventLog) end() int64 {
	if len(l.tail) == 0 {
		return l.from
	}
	return l.tail[len(l.tail)-1].Number
}

// extend adds events that follow a number to the tail.
func (l *eventLog) extend(after int64, events []Event, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end() != after { // nobody has read the events between
		l.from, l.tail = after, nil
	}
	l.tail = append(l.tail, events...)
	if extra := len(l.tail) - eventTail; extra > eventTail {
		l.from = l.tail[extra-1].Number
		l.tail = slices.Clone(l.tail[extra:])
	}
	l.stale = l.stale || !last
}

// load reads events of the store.
func (l *eventLog) load(ctx context.Context, after int64) (events []Event, err error) {
	err = l.store.View(ctx, func(tx ReadTx) error {
		first, last, err := tx.EventRange()
		if err == nil {
			err = checkCursor("Subscribe", after, first, last)
		}
		if err == nil {
			events, err = tx.Events(after, eventBatch)
		}
		return err
	})
	return events, err
}
