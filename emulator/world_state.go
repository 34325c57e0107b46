package emulator

import (
	"maps"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// state is an immutable copy of a world at one moment. Making one takes constant time.
type state struct {
	world  string // the world's name
	seed   uint64
	clock  clock.Setting
	store  *memory.Store // never written to
	blobs  *blobs.Blobs  // never written to
	key    []byte        // signs cursors and URLs
	ids    map[string]uint64
	script *fixture.Script // fixture bindings; its Config is empty
	// renders are the style and the target of renders; nil for those of the world that gets the state.
	renders *RenderDefaults
}

// maxForks limits how often the fork of a busy world is repeated.
const maxForks = 100

// state returns the world's current state. CodeConflict with a data folder.
func (w *world) state() (*state, error) {
	from, ok := w.store.(exclusiveStore)
	index, has := w.blobs.(*blobs.Blobs)
	if !ok || !has {
		return nil, engine.Errorf(engine.CodeConflict, "Snapshot", "A sandbox with a data folder supports neither snapshots nor forks.").
			WithHint("Start it without --data, or copy the folder while the sandbox is stopped.")
	}
	// Rows and blobs must be from the same moment. Rows refer to blobs, so repeat the fork if a blob changed in between. If blobs
	// keep changing, use rows that are older than the blobs.
	before := index.Snapshot()
	store := from.Fork()
	for range maxForks {
		if now := index.Snapshot(); now == before {
			break
		}
		before = index.Snapshot()
		store = from.Fork()
	}
	// Read the clock and the ids last: no row may be newer.
	return &state{
		world: w.spec.name, seed: w.spec.seed, clock: w.time.clock.Setting(), store: store, blobs: index.Fork(before, nil), key: w.key,
		ids: w.ids.counts(), script: w.script.Clone(fixture.Config{}), renders: w.renders.Load(),
	}, nil
}

// counts returns the number of ids per kind.
func (g *ids) counts() map[string]uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.made)
}

// total returns the number of ids of all kinds.
func (g *ids) total() (n uint64) {
	for _, made := range g.counts() {
		n += made
	}
	return n
}

// resume continues after the ids of a state, since its rows may contain them.
func (g *ids) resume(from map[string]uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.Copy(g.made, from)
}

// spec returns old with the state's seed and, if the server's options allow it, the state's clock. A nil state returns old.
func (s *state) spec(old worldSpec, o Options) worldSpec {
	if s == nil {
		return old
	}
	old.seed = s.seed
	if s.renders != nil {
		old.renders = *s.renders
	}
	if o.checkClockMode(s.clock.Mode) == nil {
		old.clock = ClockMode(s.clock.String())
	}
	return old
}

// with completes a state from a file with old's fixture bindings, and with old's key if the file has none.
func (s *state) with(old *world) *state {
	if s == nil {
		return nil
	}
	whole := *s
	if whole.key == nil {
		whole.key = old.key
	}
	if whole.script == nil {
		whole.script = old.script.Clone(fixture.Config{})
	}
	return &whole
}
