package emulator

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// farthest is how far one advance goes.
const farthest = 100 * 365 * 24 * time.Hour

// inTime completes the configuration of an engine with what has to do with time, and with what must be the same each time.
func (w *world) inTime(c *engine.Config, o Options) {
	mode := w.time.clock.Setting().Mode
	c.Clock, c.Pace, c.Tell = w.time.clock, w.script, w.told
	c.Retry, c.WebhookRetry, c.Workers = o.retry(mode), o.webhookRetry(mode), o.workers(mode)
	c.SignTime = w.time.signing
	if w.ids != nil {
		c.IDs, c.Entropy = w.ids, w.ids
		c.Random = func() float64 { return 0.5 } // waits are exactly those of the schedule
	}
}

// Clock tells how the clock is set and what waits for it.
func (w *world) Clock(ctx context.Context) (control.Clock, error) {
	waiting, err := w.pending(ctx)
	s := w.time.clock.Setting()
	return control.Clock{Mode: string(s.Mode), Now: s.Now.Truncate(time.Microsecond), Rate: rate(s), Pending: waiting}, err
}

// rate is how many seconds pass in one of the wall's.
func rate(s clock.Setting) float64 {
	switch {
	case s.Mode.Still():
		return 0
	case s.Mode == clock.Scaled:
		return s.Rate
	}
	return 1
}

// pending lists every job that isn't over, whose resource goes by the id that a client knows.
func (w *world) pending(ctx context.Context) ([]control.Pending, error) {
	jobs, err := w.engine.Pending(ctx)
	list := make([]control.Pending, 0, len(jobs))
	for _, j := range jobs {
		resource, status := j.Ref, string(j.Status)
		if s, err := w.engine.Standing(ctx, j.Ref); err == nil {
			resource, status = s.ID, s.Status
		}
		p := control.Pending{Kind: string(j.Kind), Resource: resource, Status: status}
		if !j.Working() {
			p.At = &j.At
		}
		list = append(list, p)
	}
	return list, err
}

// SetClock sets the clock anew. CodeInvalid.
func (w *world) SetClock(ctx context.Context, set control.ClockSetting) error {
	s := clock.Setting{}
	if set.Mode != "" {
		var err error
		if s, err = clock.Parse(set.Mode); err != nil {
			if set.Mode != string(clock.Scaled) {
				return err
			}
			s = clock.Setting{Mode: clock.Scaled}
		}
	} else {
		now := w.time.clock.Setting()
		s.Mode, s.Rate = now.Mode, now.Rate
	}
	if err := w.suits(s.Mode); err != nil {
		return err
	}
	if set.Rate != nil {
		s.Rate = *set.Rate
	}
	if set.Now != nil {
		if s.Now = *set.Now; s.Now.Sub(w.time.clock.Now()) > farthest {
			return tooFar()
		}
	}
	if err := w.time.lock(ctx); err != nil {
		return err
	}
	defer w.time.unlock()
	if err := w.time.clock.Set(s); err != nil {
		return err
	}
	select {
	case w.time.set <- struct{}{}:
	default:
	}
	return nil
}

func tooFar() error {
	return engine.Errorf(engine.CodeInvalid, "Advance", "A clock is not advanced by more than 100 years.")
}

// Advance moves the clock and returns when all that was due, with its webhooks, has settled, or when something didn't in time.
func (w *world) Advance(ctx context.Context, a control.Advance) (control.Advanced, error) {
	t := w.time
	if mode := t.clock.Setting().Mode; !mode.Jumps() {
		return control.Advanced{}, engine.Errorf(engine.CodeConflict, "Advance", "A %s clock can't be advanced: it goes by itself.", mode).
			WithHint("Set it to manual, steps or auto first, with PUT /_soundstage/clock.")
	}
	if err := t.lock(ctx); err != nil {
		return control.Advanced{}, err
	}
	defer t.unlock()
	fired := []control.Fired{}
	t.mu.Lock()
	t.fired = &fired
	t.mu.Unlock()
	settled, err := w.advance(ctx, a)
	t.mu.Lock()
	t.fired = nil
	t.mu.Unlock()
	if err != nil {
		return control.Advanced{}, err
	}
	slices.SortStableFunc(fired, byTime)
	out := control.Advanced{Now: w.engine.Now(), Fired: fired, Settled: settled}
	if !settled {
		out.Running, err = w.running(ctx)
	}
	return out, err
}

// byTime orders what happened. What happened at one time did so at once: work comes before the webhooks that tell of it, these before the
// tidying up, and in each the order is always the same.
func byTime(a, b control.Fired) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Resource, b.Resource))
}

func rank(kind string) int {
	switch {
	case strings.HasSuffix(kind, ".clean"), strings.HasSuffix(kind, ".expire"):
		return 2
	case strings.HasPrefix(kind, "webhook."):
		return 1
	}
	return 0
}

// running lists the jobs that don't wait for the clock.
func (w *world) running(ctx context.Context) ([]control.Pending, error) {
	all, err := w.pending(ctx)
	now := w.engine.Now()
	list := []control.Pending{}
	for _, p := range all {
		if p.At == nil || !p.At.After(now) {
			list = append(list, p)
		}
	}
	return list, err
}

func (w *world) advance(ctx context.Context, a control.Advance) (bool, error) {
	now := w.engine.Now()
	switch {
	case a.By != nil:
		return w.advanceTo(ctx, now, now.Add(time.Duration(*a.By)))
	case a.To != nil:
		return w.advanceTo(ctx, now, *a.To)
	case a.Until != nil:
		return w.advanceUntil(ctx, *a.Until)
	}
	if ok, err := w.settle(ctx, w.time.bound); err != nil || !ok {
		return ok, err
	}
	next, ok := w.time.clock.Next()
	if !ok {
		return true, nil
	}
	return w.stepTo(ctx, next, w.time.bound, nil)
}

func (w *world) advanceTo(ctx context.Context, now, to time.Time) (bool, error) {
	switch {
	case to.Before(now):
		return false, engine.Errorf(engine.CodeInvalid, "Advance", "Time does not go backwards: the clock shows %s already.", now.Format(time.RFC3339Nano))
	case to.Sub(now) > farthest:
		return false, tooFar()
	}
	if err := clock.Shows(to); err != nil {
		return false, err
	}
	return w.stepTo(ctx, to.UTC(), w.time.bound, nil)
}

// advanceUntil goes from one thing to the next until a resource has a status.
func (w *world) advanceUntil(ctx context.Context, u control.Until) (bool, error) {
	const op = "Advance"
	first, err := w.engine.Standing(ctx, u.Resource)
	if err != nil {
		return false, engine.Errorf(engine.CodeNotFound, op, "There is no resource %q that time changes.", u.Resource).Because(err).
			WithHint("Name the id of a recording, a transcript, an import, an output, a chat, a render or a delivery.")
	}
	if !first.Knows(u.Status) {
		return false, engine.Errorf(engine.CodeInvalid, op, "A %s is never %q.", first.Noun, u.Status)
	}
	reached := false
	stop := func() (bool, error) {
		now, err := w.engine.Standing(ctx, u.Resource)
		switch {
		case err != nil:
			return true, err
		case now.Status == u.Status:
			reached = true
		case now.Over:
			return true, engine.Errorf(engine.CodeConflict, op, "The %s is %s and does not become %s any more.", now.Noun, now.Status, u.Status)
		}
		return reached, nil
	}
	limit := w.engine.Now().Add(farthest)
	for {
		if ok, err := w.settle(ctx, w.time.bound); err != nil || !ok {
			return ok, err
		}
		if done, err := stop(); err != nil || done {
			return true, err
		}
		next, ok := w.time.clock.Next()
		if !ok || next.After(limit) {
			return true, engine.Errorf(engine.CodeConflict, op, "Nothing that waits for the clock makes the %s %s.", first.Noun, u.Status)
		}
		if ok, err := w.stepTo(ctx, next, w.time.bound, stop); err != nil || !ok || reached {
			return ok, err
		}
	}
}

// Idle returns when there is nothing to do: nothing is due or running, but for webhooks that are held. Where time stands still, what waits for the clock doesn't count; in
// mode auto it is done first, webhooks' retries too; in the others it is waited for, retries excepted. CodeUnavailable when ctx is over
// before.
func (w *world) Idle(ctx context.Context) error {
	for {
		moved := w.engine.Moved()
		if err := w.engine.Settle(ctx); err != nil {
			return err
		}
		at, busy, err := w.work(ctx)
		if err != nil || !busy {
			return err
		}
		if w.time.clock.Setting().Mode == clock.Auto && at.After(w.engine.Now()) {
			if err := w.jump(ctx, at); err != nil {
				return err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-moved:
		}
	}
}

// work returns when the next thing happens that Idle waits for.
func (w *world) work(ctx context.Context) (at time.Time, busy bool, err error) {
	switch mode := w.time.clock.Setting().Mode; {
	case mode.Still():
		return at, false, nil
	case mode != clock.Auto:
		return w.engine.NextWork(ctx)
	}
	jobs, err := w.engine.Pending(ctx)
	for _, j := range jobs {
		if j.Class != engine.ClassMaintain && !j.Kept {
			return j.At, true, err
		}
	}
	return at, false, err
}
