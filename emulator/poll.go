package emulator

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/engine"
)

// polled is told of each look at something that may not be over, before it is answered. In mode auto it lets the thing get there, in mode
// steps it lets it get to its next state, unless this is the first look at it. It waits for real work for a bounded time; then what is
// there is answered.
func (w *world) polled(ctx context.Context, p api.Poll) {
	switch w.time.clock.Setting().Mode {
	case clock.Auto:
		w.finish(ctx, p)
	case clock.Steps:
		w.time.mu.Lock()
		again := w.time.seen[p.Key]
		w.time.seen[p.Key] = true
		w.time.mu.Unlock()
		if again {
			w.nextState(ctx, p)
		}
	}
}

// finish lets a thing get to its end.
func (w *world) finish(ctx context.Context, p api.Poll) {
	ctx, cancel := context.WithTimeout(ctx, w.time.poll)
	defer cancel()
	for {
		_, refs, err := p.Look(ctx)
		if err != nil {
			return
		}
		if more, err := w.finishJobs(ctx, refs, p); err != nil || !more {
			return
		}
	}
}

// finishJobs lets the jobs about some rows get to their end. more says that there were any, after which others may have come. Whoever
// waits looks at these jobs only when something moves: under load that is often, and what is polled may be long.
func (w *world) finishJobs(ctx context.Context, refs []string, p api.Poll) (more bool, err error) {
	for ctx.Err() == nil {
		moved := w.engine.Moved()
		next, ok, err := w.nextOf(ctx, refs, p.Deliveries)
		if err != nil || !ok || p.Deliveries && next.Working() {
			return more && !ok, err // receivers are not waited for
		}
		more = true
		if next.At.After(w.engine.Now()) {
			if err := w.jump(ctx, next.At); err != nil {
				return false, err
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-moved:
		}
	}
	return false, context.Cause(ctx)
}

// nextState lets a thing get to another state than it has.
func (w *world) nextState(ctx context.Context, p api.Poll) {
	ctx, cancel := context.WithTimeout(ctx, w.time.poll)
	defer cancel()
	if w.time.lock(ctx) != nil {
		return
	}
	defer w.time.unlock()
	if ok, err := w.settle(ctx, w.time.poll); err != nil || !ok {
		return
	}
	before, _, err := p.Look(ctx)
	for err == nil && ctx.Err() == nil {
		now, refs, err := p.Look(ctx)
		if err != nil || now != before {
			return
		}
		next, ok, err := w.nextOf(ctx, refs, p.Deliveries)
		if err != nil || !ok || next.Working() {
			return
		}
		changed := func() (bool, error) {
			now, _, err := p.Look(ctx)
			return now != before, err
		}
		if ok, err := w.stepTo(ctx, next.At, w.time.poll, changed); err != nil || !ok {
			return
		}
	}
}

// nextOf returns which job about one of some rows goes on first. Deliveries and maintenance don't count, unless it is about deliveries.
func (w *world) nextOf(ctx context.Context, refs []string, deliveries bool) (next engine.Pending, ok bool, err error) {
	for _, ref := range refs {
		jobs, err := w.engine.PendingOf(ctx, ref)
		if err != nil {
			return next, false, err
		}
		for _, j := range jobs {
			if j.Class == engine.ClassMaintain || (j.Class == engine.ClassDeliver) != deliveries {
				continue
			}
			if !ok || earlier(j.At, next.At) {
				next, ok = j, true
			}
		}
	}
	return next, ok, nil
}

// earlier compares when jobs go on; one that is working comes last, since others may be jumped to meanwhile.
func earlier(a, b time.Time) bool {
	if a.IsZero() || b.IsZero() {
		return b.IsZero() && !a.IsZero()
	}
	return a.Before(b)
}
