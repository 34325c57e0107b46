package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
)

// ApplyFixture implements control.World. It applies a fixture as the first user.
func (w *world) ApplyFixture(ctx context.Context, f *fixture.Fixture) (fixture.Applied, error) {
	return f.Apply(ctx, w.engine, sandboxCaller, w.script)
}

// Fixtures implements control.World.
func (w *world) Fixtures() fixture.Bound { return w.script.Bound() }

// sandboxCaller is the sandbox's first user.
var sandboxCaller = engine.Caller{
	UserID: SandboxUserID, AccountID: SandboxAccountID, DefaultSpaceID: SandboxSpaceID, Tier: engine.TierPlatform,
}

// applyFixtures applies the fixtures that a world starts with.
func (w *world) applyFixtures(ctx context.Context, all []*fixture.Fixture) error {
	for _, f := range all {
		if _, err := w.ApplyFixture(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// newScript returns an empty script, or a copy of the script in the initial state.
func (w *world) newScript(o Options, begin *state) *fixture.Script {
	typical := sim.Typical{Live: o.Live}
	if s, ok := o.scripted(); ok {
		typical.Transcription = s.Delay
	}
	config := fixture.Config{IDs: engine.RandomIDs(), Blobs: w.blobs, Jobs: typical}
	if w.ids != nil {
		config.IDs = w.ids
	}
	if begin != nil {
		return begin.script.Clone(config)
	}
	return fixture.NewScript(config)
}
