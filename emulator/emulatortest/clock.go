package emulatortest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// Clock is a world's clock. An advance returns when every due job and webhook has settled. The test fails immediately if that
// takes too long, or if the clock can't be advanced: only clocks in the modes manual, steps, and auto can.
type Clock struct{ world *World }

// Now returns the clock's time.
func (c Clock) Now() time.Time {
	c.world.t.Helper()
	return c.world.Engine().Now()
}

// State returns the clock's setting and the jobs that wait for it.
func (c Clock) State() control.Clock {
	c.world.t.Helper()
	state, err := c.world.Control().Clock(context.Background())
	c.world.must("the clock", err)
	return state
}

// Set changes the mode and keeps the clock's time.
func (c Clock) Set(mode emulator.ClockMode) {
	c.world.t.Helper()
	s, err := clock.Parse(string(mode))
	c.world.must("setting the clock", err)
	set := control.ClockSetting{Mode: string(s.Mode)}
	if s.Mode == clock.Scaled {
		set.Rate = &s.Rate
	}
	done := c.world.record("PUT", "clock", set)
	err = c.world.Control().SetClock(context.Background(), set)
	done(200, err)
	c.world.must("setting the clock", err)
}

// Advance moves the clock by a duration and returns what happened.
func (c Clock) Advance(by time.Duration) control.Advanced {
	c.world.t.Helper()
	span := control.Span(by)
	return c.advance(fmt.Sprintf("advancing the clock by %v", by), control.Advance{By: &span})
}

// AdvanceTo moves the clock to a time and returns what happened.
func (c Clock) AdvanceTo(to time.Time) control.Advanced {
	c.world.t.Helper()
	return c.advance("advancing the clock to "+to.Format(time.RFC3339Nano), control.Advance{To: &to})
}

// AdvanceUntil moves the clock to the first moment at which a resource has a status. resource is its id.
func (c Clock) AdvanceUntil(resource, status string) control.Advanced {
	c.world.t.Helper()
	until := control.Until{Resource: resource, Status: status}
	return c.advance(fmt.Sprintf("advancing the clock until %s is %s", resource, status), control.Advance{Until: &until})
}

// Next moves the clock to the next event. Without one, the clock stays.
func (c Clock) Next() control.Advanced {
	c.world.t.Helper()
	return c.advance("advancing the clock to the next event", control.Advance{NextEvent: true})
}

func (c Clock) advance(doing string, a control.Advance) control.Advanced {
	c.world.t.Helper()
	note := c.world.record("POST", "clock/advance", a)
	done, err := c.world.Control().Advance(context.Background(), a)
	note(200, err)
	c.world.must(doing, err)
	if !done.Settled {
		c.world.t.Fatalf("%s: jobs took too long at %s: %s", doing, done.Now.Format(time.RFC3339Nano), describeJobs(done.Running))
	}
	return done
}

// Idle waits until no job is due or running. With a frozen clock, jobs that wait for the clock don't count. In mode auto, they run
// first, except retries of deliveries to receivers that don't respond. The test fails immediately after the WithWaitLimit.
func (c Clock) Idle() {
	c.world.t.Helper()
	ctx, cancel := c.world.waitContext()
	defer cancel()
	done := c.world.record("POST", "idle", nil)
	err := c.world.Control().Idle(ctx)
	done(200, err)
	if err != nil && ctx.Err() != nil {
		c.world.t.Fatalf("jobs remain after %v: %s", c.world.server.limit, describeJobs(c.State().Pending))
	}
	c.world.must("waiting until no job is due", err)
}

// describeJobs lists jobs for an error message.
func describeJobs(jobs []control.Pending) string {
	if len(jobs) == 0 {
		return "none in the queue"
	}
	text := make([]string, len(jobs))
	for i, j := range jobs {
		text[i] = fmt.Sprintf("%s of %s (%s)", j.Kind, j.Resource, j.Status)
	}
	return strings.Join(text, ", ")
}
