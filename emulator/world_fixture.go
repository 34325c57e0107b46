package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
)

// ApplyFixture implements control.World: a fixture is the first user's.
func (w *world) ApplyFixture(ctx context.Context, f *fixture.Fixture) (fixture.Applied, error) {
	return f.Apply(ctx, w.engine, sandboxCaller, w.script)
}

// Fixtures implements control.World.
func (w *world) Fixtures() fixture.Bound { return w.script.Bound() }

// sandboxCaller is the sandbox's first user.
var sandboxCaller = engine.Caller{
	UserID: SandboxUserID, AccountID: SandboxAccountID, DefaultSpaceID: SandboxSpaceID, Tier: engine.TierPlatform,
}

// applyFixtures applies what a world begins with.
func (w *world) applyFixtures(ctx context.Context, all []*fixture.Fixture) error {
	for _, f := range all {
		if _, err := w.ApplyFixture(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// newScript is what a world has been told to do: nothing yet, or what was told to the world whose state it begins with.
func (w *world) newScript(o Options, begin *state) *fixture.Script {
	config := fixture.Config{IDs: engine.RandomIDs(), Blobs: w.blobs, Jobs: sim.Typical{Live: o.Live}}
	if w.ids != nil {
		config.IDs = w.ids
	}
	if begin != nil {
		return begin.script.Clone(config)
	}
	return fixture.NewScript(config)
}
