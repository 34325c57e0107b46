package emulator

import (
	"maps"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// state is what a world had at a moment, and another may begin with. It never changes, and costs nothing to make.
type state struct {
	of     string // name of the world
	seed   uint64
	clock  clock.Setting
	store  *memory.Store // nobody writes to it
	blobs  *blobs.Blobs  // nobody writes to it
	key    []byte        // signs cursors and addresses
	ids    map[string]uint64
	script *fixture.Script // what fixtures have bound; its Config is empty
}

// maxForks bounds how often a fork of a busy world is made again.
const maxForks = 100

// state returns what the world has now. CodeConflict with a data folder.
func (w *world) state() (*state, error) {
	from, ok := w.store.(exclusiveStore)
	index, has := w.blobs.(*blobs.Blobs)
	if !ok || !has {
		return nil, engine.Errorf(engine.CodeConflict, "Snapshot", "A sandbox with a data folder has no snapshots and no forks.").
			WithHint("Start it without --data; or copy the folder while it is stopped.")
	}
	// The rows and the blobs are to be of one moment. Rows name blobs, so a fork is made again when a blob came or went meanwhile;
	// where that never ends, the rows are those before the blobs.
	before := index.Snapshot()
	store := from.Fork()
	for range maxForks {
		if now := index.Snapshot(); now == before {
			break
		}
		before = index.Snapshot()
		store = from.Fork()
	}
	// No row is from a time, or has an id, that is behind these.
	return &state{
		of: w.spec.name, seed: w.spec.seed, clock: w.time.clock.Setting(), store: store, blobs: index.Fork(before, nil), key: w.key,
		ids: w.ids.counted(), script: w.script.Clone(fixture.Config{}),
	}, nil
}

// counted returns how many ids there were of each kind.
func (g *ids) counted() map[string]uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.made)
}

// goOn has the ids go on behind those that a state had, whose rows may have them.
func (g *ids) goOn(from map[string]uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.Copy(g.made, from)
}

// spec is how a world is made that was made by old and is to begin with the state: with its seed and, where the server's options let it
// have that, its clock. nil changes nothing.
func (s *state) spec(old worldSpec, o Options) worldSpec {
	if s == nil {
		return old
	}
	old.seed = s.seed
	if o.clockSuits(s.clock.Mode) == nil {
		old.clock = ClockMode(s.clock.String())
	}
	return old
}

// with completes a state that comes from a file with what old keeps: what fixtures have bound, and its key when the file has none.
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
