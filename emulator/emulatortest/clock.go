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

// Clock is a world's time. Advances return when all that was due, with its webhooks, has settled; that something doesn't settle, and
// that the clock can't be advanced, is fatal to the test. Clocks of the modes manual, steps and auto can be.
type Clock struct{ world *World }

// Now is what the clock shows.
func (c Clock) Now() time.Time {
	c.world.t.Helper()
	return c.world.Engine().Now()
}

// State is how the clock is set and what waits for it.
func (c Clock) State() control.Clock {
	c.world.t.Helper()
	state, err := c.world.Control().Clock(context.Background())
	c.world.must("the clock", err)
	return state
}

// Set changes the mode; the clock goes on from what it shows.
func (c Clock) Set(mode emulator.ClockMode) {
	c.world.t.Helper()
	s, err := clock.Parse(string(mode))
	c.world.must("setting the clock", err)
	set := control.ClockSetting{Mode: string(s.Mode)}
	if s.Mode == clock.Scaled {
		set.Rate = &s.Rate
	}
	done := c.world.note("PUT", "clock", set)
	err = c.world.Control().SetClock(context.Background(), set)
	done(200, err)
	c.world.must("setting the clock", err)
}

// Advance moves the clock by a time and returns what happened on the way.
func (c Clock) Advance(by time.Duration) control.Advanced {
	c.world.t.Helper()
	span := control.Span(by)
	return c.advance(fmt.Sprintf("advancing the clock by %v", by), control.Advance{By: &span})
}

// AdvanceTo moves the clock to a time.
func (c Clock) AdvanceTo(to time.Time) control.Advanced {
	c.world.t.Helper()
	return c.advance("advancing the clock to "+to.Format(time.RFC3339Nano), control.Advance{To: &to})
}

// AdvanceUntil moves the clock until a resource, by its id, has a status: from one thing that happens to the next, and not further.
func (c Clock) AdvanceUntil(resource, status string) control.Advanced {
	c.world.t.Helper()
	until := control.Until{Resource: resource, Status: status}
	return c.advance(fmt.Sprintf("advancing the clock until %s is %s", resource, status), control.Advance{Until: &until})
}

// Next moves the clock to the next thing that happens; where nothing waits for it, it stays.
func (c Clock) Next() control.Advanced {
	c.world.t.Helper()
	return c.advance("advancing the clock to the next event", control.Advance{NextEvent: true})
}

func (c Clock) advance(doing string, a control.Advance) control.Advanced {
	c.world.t.Helper()
	note := c.world.note("POST", "clock/advance", a)
	done, err := c.world.Control().Advance(context.Background(), a)
	note(200, err)
	c.world.must(doing, err)
	if !done.Settled {
		c.world.t.Fatalf("%s: at %s something took too long: %s", doing, done.Now.Format(time.RFC3339Nano), pendings(done.Running))
	}
	return done
}

// Idle waits until nothing is due or running: where time stands still, what waits for the clock doesn't count; in mode auto it is done
// first. That it takes longer than WithWaitLimit is fatal.
func (c Clock) Idle() {
	c.world.t.Helper()
	ctx, cancel := c.world.limited()
	defer cancel()
	done := c.world.note("POST", "idle", nil)
	err := c.world.Control().Idle(ctx)
	done(200, err)
	if err != nil && ctx.Err() != nil {
		c.world.t.Fatalf("there is still something to do after %v: %s", c.world.server.limit, pendings(c.State().Pending))
	}
	c.world.must("waiting until nothing is to be done", err)
}

// pendings names jobs in a sentence.
func pendings(jobs []control.Pending) string {
	if len(jobs) == 0 {
		return "nothing that the queue knows of"
	}
	text := make([]string, len(jobs))
	for i, j := range jobs {
		text[i] = fmt.Sprintf("%s of %s (%s)", j.Kind, j.Resource, j.Status)
	}
	return strings.Join(text, ", ")
}
