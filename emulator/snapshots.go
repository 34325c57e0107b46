package emulator

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// maxSnapshots is the maximum number of kept snapshots.
const maxSnapshots = 100

// keptSnapshots holds the server's snapshots by name.
type keptSnapshots struct {
	mu  sync.Mutex
	all map[string]*state
}

// StoreSnapshot stores a snapshot of a world in memory until the server closes. Its time doesn't depend on the world's size.
// CodeInvalid for an invalid name; CodeNotFound for an unknown world; CodeConflict when the name is taken or with a data folder;
// CodeNoSpace for more than 100 snapshots.
func (s *Server) StoreSnapshot(_ context.Context, world, name string) (control.SnapshotInfo, error) {
	const op = "StoreSnapshot"
	if !validWorldName(name) {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeInvalid, op, "%.100q is not a valid snapshot name.", name).
			WithHint("Use 1 to 64 of the characters a-z, 0-9, and -.")
	}
	w, err := s.find(world)
	if err != nil {
		return control.SnapshotInfo{}, err
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	if s.kept.all[name] != nil {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeConflict, op, "The snapshot %q already exists.", name).
			WithHint("Delete it first with DELETE /_soundstage/snapshots/NAME.")
	}
	if len(s.kept.all) >= maxSnapshots {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeNoSpace, op, "The server already keeps %d snapshots, the maximum.", maxSnapshots).
			WithHint("Delete one with DELETE /_soundstage/snapshots/NAME, or save the world to a file with GET /_soundstage/snapshot.")
	}
	now, err := w.state()
	if err != nil {
		return control.SnapshotInfo{}, err
	}
	if s.kept.all == nil {
		s.kept.all = map[string]*state{}
	}
	s.kept.all[name] = now
	return now.info(name), nil
}

// info describes a state for the control API.
func (s *state) info(name string) control.SnapshotInfo {
	return control.SnapshotInfo{Name: name, World: s.world, Seed: s.seed, Clock: string(s.clock.Mode), Now: s.clock.Now.Truncate(time.Microsecond)}
}

// Snapshots returns the kept snapshots, ordered by name.
func (s *Server) Snapshots() []control.SnapshotInfo {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	list := make([]control.SnapshotInfo, 0, len(s.kept.all))
	for name, st := range s.kept.all {
		list = append(list, st.info(name))
	}
	slices.SortFunc(list, func(a, b control.SnapshotInfo) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// DeleteSnapshot deletes a kept snapshot. Worlds created from it are not affected. CodeNotFound for an unknown name.
func (s *Server) DeleteSnapshot(name string) error {
	if _, err := s.snapshot(name); err != nil {
		return err
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	delete(s.kept.all, name)
	return nil
}

// RestoreSnapshot restores a world's rows, blobs, ids, seed, clock, and fixture bindings from a kept snapshot. The world keeps its
// name and secrets. RestoreSnapshot returns when the requests in progress have ended or ctx is done. CodeNotFound for an unknown
// name; CodeConflict with a data folder.
func (s *Server) RestoreSnapshot(ctx context.Context, name, world string) error {
	begin, err := s.snapshot(name)
	if err != nil {
		return err
	}
	return s.restore(ctx, world, begin)
}

// snapshot returns a kept snapshot. CodeNotFound for an unknown name.
func (s *Server) snapshot(name string) (*state, error) {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	if st := s.kept.all[name]; st != nil {
		return st, nil
	}
	return nil, engine.Errorf(engine.CodeNotFound, "Snapshot", "There is no snapshot %.100q.", name).
		WithHint("List snapshots with GET /_soundstage/snapshots.")
}

// restore replaces a world by one with the given state. If it fails, the world is unchanged.
func (s *Server) restore(ctx context.Context, world string, begin *state) error {
	if s.opts.DataDir != "" {
		return engine.Errorf(engine.CodeConflict, "Restore", "A sandbox with a data folder can't restore a snapshot.").
			WithHint("Start it without --data.")
	}
	old, err := s.replace(ctx, world, begin, control.WorldRestored)
	if err != nil {
		return err
	}
	defer s.worlds.ending.Done()
	return old.close(ctx)
}

// initialState returns the initial state of a new world, nil for an empty one. It also copies the state's seed and clock to the spec.
func (s *Server) initialState(n control.NewWorld, spec *worldSpec) (*state, error) {
	switch {
	case n.ForkOf != "" && n.FromSnapshot != "":
		return nil, engine.Errorf(engine.CodeInvalid, "CreateWorld", "fork_of and from_snapshot can't be combined.")
	case n.FromSnapshot != "":
		begin, err := s.snapshot(n.FromSnapshot)
		if err == nil {
			*spec = begin.spec(*spec, s.opts)
		}
		return begin, err
	case n.ForkOf == "":
		return nil, nil
	}
	parent, err := s.find(n.ForkOf)
	if err != nil {
		return nil, err
	}
	spec.seed, spec.clock, spec.renders = parent.spec.seed, parent.spec.clock, *parent.renders.Load()
	return parent.state()
}

// clockOf returns the clock setting of a snapshot. CodeInvalid for an invalid one.
func clockOf(mode string, rate float64, now time.Time) (clock.Setting, error) {
	set := clock.Setting{Mode: clock.Mode(mode), Rate: rate, Now: now}
	if set.Mode == "" || now.IsZero() {
		return set, engine.Errorf(engine.CodeInvalid, "Snapshot", "The snapshot has no clock setting.")
	}
	return set, set.Check()
}
