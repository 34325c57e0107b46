package emulator

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
)

// configureClock sets what depends on time in the engine's configuration, and what makes it deterministic.
func (w *world) configureClock(c *engine.Config, o Options) {
	mode := w.time.clock.Setting().Mode
	c.Clock, c.CreatedAfter, c.Observer = w.time.clock, w.createdAfter, w.sim
	c.Retry, c.WebhookRetry, c.Workers = o.retry(mode), o.webhookRetry(mode), o.workers(mode)
	c.SignTime = w.time.signing
	if w.ids != nil {
		c.IDs, c.Entropy = w.ids, w.ids
		c.Random = func() float64 { return 0.5 } // the same delays every time; ids.spread varies those of webhooks
	}
}

// Clock implements control.World.
func (w *world) Clock(ctx context.Context) (control.Clock, error) {
	jobs, err := w.sim.Pending(ctx)
	s := w.time.clock.Setting()
	return control.Clock{Mode: string(s.Mode), Now: s.Now.Truncate(time.Microsecond), Rate: rate(s), Pending: w.pending(ctx, jobs)}, err
}

// rate returns the multiple of wall-clock speed.
func rate(s clock.Setting) float64 {
	switch {
	case s.Mode.Frozen():
		return 0
	case s.Mode == clock.Scaled:
		return s.Rate
	}
	return 1
}

// pending converts jobs for the control API, with the resource ids that clients know.
func (w *world) pending(ctx context.Context, jobs []sim.Pending) []control.Pending {
	list := make([]control.Pending, 0, len(jobs))
	for _, j := range jobs {
		p := control.Pending{Kind: string(j.Job.Kind), Resource: j.Job.Ref, Status: string(j.Job.Status)}
		if r, err := w.sim.ResourceStatus(ctx, j.Job.Ref); err == nil {
			p.Resource, p.Status = r.ID, r.Status
		}
		if !j.Working() {
			p.At = &j.At
		}
		list = append(list, p)
	}
	return list
}

// SetClock implements control.World. CodeInvalid for an invalid setting.
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
	if err := w.allowsMode(s.Mode); err != nil {
		return err
	}
	if set.Rate != nil {
		s.Rate = *set.Rate
	}
	if set.Now != nil {
		s.Now = *set.Now
	}
	return w.sim.SetClock(ctx, s)
}

// Advance implements control.World; see sim.Simulation.Advance.
func (w *world) Advance(ctx context.Context, a control.Advance) (control.Advanced, error) {
	target := sim.Target{By: (*time.Duration)(a.By), To: a.To}
	if a.Until != nil {
		target.Until = &sim.Until{Resource: a.Until.Resource, Status: a.Until.Status}
	}
	done, err := w.sim.Advance(ctx, target)
	if err != nil {
		return control.Advanced{}, err
	}
	out := control.Advanced{Now: done.Now, Settled: done.Settled, Fired: make([]control.Fired, 0, len(done.Events))}
	for _, e := range done.Events {
		out.Fired = append(out.Fired, control.Fired{At: e.At, Kind: string(e.Kind), Resource: e.Resource, Status: e.Status})
	}
	if !done.Settled {
		out.Running = w.pending(ctx, done.Running)
	}
	return out, nil
}

// Idle implements control.World; see sim.Simulation.WaitIdle.
func (w *world) Idle(ctx context.Context) error { return w.sim.WaitIdle(ctx) }
