package engine

import (
	"context"
	"iter"
	"slices"
	"time"
)

// EventFilter selects events. Every field is optional.
type EventFilter struct {
	Kinds     []EventKind // default all
	Space     SpaceID     // only events of this space
	Recording RecordingID // only events of this recording, and of what is made from it
	// After is the cursor of the last event that was handled, or EventsFromStart. Without it, the first event is the next one.
	After EventCursor
}

func (f EventFilter) check(op string) error {
	for _, k := range f.Kinds {
		if err := k.check(op); err != nil {
			return err
		}
	}
	return nil
}

func (f EventFilter) matches(v Event) bool {
	return (len(f.Kinds) == 0 || slices.Contains(f.Kinds, v.Kind)) && (f.Space == "" || f.Space == v.SpaceID) &&
		(f.Recording == "" || f.Recording == v.RecordingID)
}

// Subscribe returns the events that the caller may see: those of the caller's spaces, and of the caller's own imports, chats, and
// transcripts of URLs. They come in the order of the commits, each after its commit, exactly once. The place in the log is taken when
// Subscribe is called, so that a program can subscribe, list the rows, and then read without missing anything:
//
//	for v, err := range e.Subscribe(ctx, me, engine.EventFilter{After: saved}) {
//		if err != nil {
//			return err
//		}
//		saved = v.Cursor() // after handling v
//	}
//
// Progress events have the latest progress of each row, and are dropped when a newer one comes. A slow subscriber delays nobody, and only
// falls behind in the log, which keeps Config.EventLimit events for Config.EventAge. The loop ends with break, or with an error, which is
// its last pair: that of ctx, CodeUnavailable after Close, CodeInvalid (a malformed cursor, an unknown kind), CodeNotFound (the space; the
// events after the cursor are no longer in the log, or not in this one: list everything again).
func (e *Engine) Subscribe(ctx context.Context, c Caller, f EventFilter) iter.Seq2[Event, error] {
	return e.subscribe(ctx, "Subscribe", &c, f)
}

// SubscribeAll is Subscribe for the events of all accounts. It is for the program that embeds the engine, and takes no Caller.
func (e *Engine) SubscribeAll(ctx context.Context, f EventFilter) iter.Seq2[Event, error] {
	return e.subscribe(ctx, "SubscribeAll", nil, f)
}

func (e *Engine) subscribe(ctx context.Context, op string, c *Caller, f EventFilter) iter.Seq2[Event, error] {
	f.Kinds = slices.Clone(f.Kinds)
	after, err := e.subscriptionStart(ctx, op, c, f)
	return func(yield func(Event, error) bool) {
		if err != nil {
			yield(Event{}, wrap(op, err))
			return
		}
		s := &subscription{e: e, caller: c, filter: f, after: after}
		if err := s.run(ctx, yield); err != nil {
			yield(Event{}, wrap(op, err))
		}
	}
}

// subscriptionStart checks a request and returns the number of the event after which it starts.
func (e *Engine) subscriptionStart(ctx context.Context, op string, c *Caller, f EventFilter) (after int64, err error) {
	if err := f.check(op); err != nil {
		return 0, err
	}
	if f.After != "" && f.After != EventsFromStart {
		if after, err = f.After.number(op); err != nil {
			return 0, err
		}
	}
	err = e.store.View(ctx, func(tx ReadTx) error {
		if c != nil && f.Space != "" {
			if _, err := memberSpace(tx, *c, f.Space); err != nil {
				return err
			}
		}
		first, last, err := tx.EventRange()
		switch {
		case err != nil:
			return err
		case f.After == "":
			after = last
		case f.After == EventsFromStart:
			after = max(0, first-1)
		}
		return checkCursor(op, after, first, last)
	})
	return after, err
}

// subscription is one loop over events.
type subscription struct {
	e        *Engine
	caller   *Caller // nil for all accounts
	filter   EventFilter
	after    int64  // Number of the last stored event that was read
	reported uint64 // number of the last progress report that was read

	spaces  map[SpaceID]bool // of the caller; nil when they must be read
	members uint64           // when spaces was read
	looked  time.Time        // when it last looked for changes of other processes, on the wall clock
}

// lookInterval is how often a subscription looks for changes of other processes.
const lookInterval = time.Second

// run yields events until the loop ends, and then returns nil, or until there is an error.
func (s *subscription) run(ctx context.Context, yield func(Event, error) bool) error {
	for {
		s.lookElsewhere()
		now := s.e.events.look(s.reported)
		batch, last, err := s.e.events.read(ctx, s.after)
		if err == nil {
			err = s.refresh(ctx, now.members)
		}
		if err != nil {
			return err
		}
		for _, v := range batch {
			s.after = v.Number
			if s.sees(v) && !yield(v, nil) {
				return nil
			}
		}
		if !last {
			continue
		}
		for _, r := range now.reports {
			if v := r.Event; s.sees(v) && !ends(batch, v) && !yield(s.numbered(v), nil) {
				return nil
			}
		}
		s.reported = now.reported
		if err := s.wait(ctx, now.changed); err != nil {
			return err
		}
	}
}

// numbered returns a progress event with its place in the log.
func (s *subscription) numbered(v Event) Event {
	v.Number = s.after
	return v
}

// ends reports whether a batch has the final event of the row of a progress event.
func ends(batch []Event, progress Event) bool {
	return slices.ContainsFunc(batch, func(v Event) bool { return v.Over() && v.subject() == progress.subject() })
}

// wait waits until there may be more events.
func (s *subscription) wait(ctx context.Context, changed <-chan struct{}) error {
	var look <-chan time.Time
	if !s.e.exclusive {
		timer := time.NewTimer(lookInterval)
		defer timer.Stop()
		look = timer.C
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-s.e.lifetime.open.Done():
		return errClosed("Subscribe")
	case <-changed:
	case <-look:
	}
	return nil
}

// lookElsewhere makes the next reads look for changes of other processes, if there can be any.
func (s *subscription) lookElsewhere() {
	if now := time.Now(); !s.e.exclusive && now.Sub(s.looked) >= lookInterval {
		s.looked, s.spaces = now, nil
		s.e.events.touch()
	}
}

// refresh reads the spaces of the caller if they may have changed.
func (s *subscription) refresh(ctx context.Context, members uint64) error {
	if s.caller == nil || s.spaces != nil && s.members == members {
		return nil
	}
	var spaces []Space
	if err := s.e.store.View(ctx, func(tx ReadTx) (err error) {
		spaces, err = tx.SpacesOf(s.caller.UserID)
		return err
	}); err != nil {
		return err
	}
	s.spaces = make(map[SpaceID]bool, len(spaces))
	for _, space := range spaces {
		s.spaces[space.ID] = true
	}
	s.members = members
	if s.filter.Space != "" && !s.spaces[s.filter.Space] {
		return NotFound("", "space")
	}
	return nil
}

// sees reports whether the caller may see an event and the filter selects it.
func (s *subscription) sees(v Event) bool {
	if !s.filter.matches(v) {
		return false
	}
	switch {
	case s.caller == nil:
		return true
	case v.SpaceID == "", v.ImportID != "" && v.Kind != KindRecordingCreated && v.Kind != KindRecordingDeleted:
		return v.UserID == s.caller.UserID
	}
	return s.spaces[v.SpaceID]
}
