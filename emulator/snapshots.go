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

// maxSnapshots is how many snapshots a server keeps.
const maxSnapshots = 100

// kept are the snapshots that a server keeps, by name.
type kept struct {
	mu  sync.Mutex
	all map[string]*state
}

// KeepSnapshot keeps what a world has now, by a name, until the server ends; its time doesn't depend on how much that is. CodeInvalid
// (name), CodeNotFound (world), CodeConflict (the name is taken, or there is a data folder), CodeNoSpace (there are 100).
func (s *Server) KeepSnapshot(_ context.Context, world, name string) (control.SnapshotInfo, error) {
	const op = "KeepSnapshot"
	if !validWorldName(name) {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeInvalid, op, "%.100q is not a name of a snapshot.", name).
			WithHint("Use 1 to 64 characters of a-z, 0-9 and -.")
	}
	w, err := s.find(world)
	if err != nil {
		return control.SnapshotInfo{}, err
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	if s.kept.all[name] != nil {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeConflict, op, "There is a snapshot %q already.", name).
			WithHint("Delete it first: DELETE /_soundstage/snapshots/NAME.")
	}
	if len(s.kept.all) >= maxSnapshots {
		return control.SnapshotInfo{}, engine.Errorf(engine.CodeNoSpace, op, "The server keeps %d snapshots, which is the most it may.", maxSnapshots).
			WithHint("Delete some: DELETE /_soundstage/snapshots/NAME. Or save one to a file: GET /_soundstage/snapshot.")
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
	return control.SnapshotInfo{Name: name, World: s.of, Seed: s.seed, Clock: string(s.clock.Mode), Now: s.clock.Now.Truncate(time.Microsecond)}
}

// Snapshots returns the snapshots that the server keeps, by name.
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

// DeleteSnapshot forgets a snapshot. Worlds that began with it keep what they have. CodeNotFound.
func (s *Server) DeleteSnapshot(name string) error {
	if _, err := s.snapshot(name); err != nil {
		return err
	}
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	delete(s.kept.all, name)
	return nil
}

// RestoreSnapshot puts a world back to a snapshot: its rows, blobs, ids, seed, clock and what fixtures have bound. The world keeps its name
// and its secrets. It returns when the requests that the world was answering have ended, or ctx has. CodeNotFound, CodeConflict with a
// data folder.
func (s *Server) RestoreSnapshot(ctx context.Context, name, world string) error {
	begin, err := s.snapshot(name)
	if err != nil {
		return err
	}
	return s.restore(ctx, world, begin)
}

// snapshot returns a snapshot that is kept. CodeNotFound.
func (s *Server) snapshot(name string) (*state, error) {
	s.kept.mu.Lock()
	defer s.kept.mu.Unlock()
	if st := s.kept.all[name]; st != nil {
		return st, nil
	}
	return nil, engine.Errorf(engine.CodeNotFound, "Snapshot", "There is no snapshot %.100q.", name).
		WithHint("GET /_soundstage/snapshots lists those that are there.")
}

// restore has a world begin anew with a state. When that fails, the world goes on as it was.
func (s *Server) restore(ctx context.Context, world string, begin *state) error {
	if s.opts.DataDir != "" {
		return engine.Errorf(engine.CodeConflict, "Restore", "A sandbox with a data folder can't be put back to a snapshot.").
			WithHint("Start it without --data.")
	}
	old, err := s.replace(ctx, world, begin)
	if err != nil {
		return err
	}
	defer s.worlds.ending.Done()
	return old.close(ctx)
}

// beginning is what a new world begins with, nil for nothing; the seed and the clock of the spec become its.
func (s *Server) beginning(n control.NewWorld, spec *worldSpec) (*state, error) {
	switch {
	case n.ForkOf != "" && n.FromSnapshot != "":
		return nil, engine.Errorf(engine.CodeInvalid, "CreateWorld", "A world begins with fork_of or from_snapshot, not with both.")
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
	spec.seed, spec.clock = parent.spec.seed, parent.spec.clock
	return parent.state()
}

// clockOf is the setting of a clock in a snapshot. CodeInvalid.
func clockOf(mode string, rate float64, now time.Time) (clock.Setting, error) {
	set := clock.Setting{Mode: clock.Mode(mode), Rate: rate, Now: now}
	if set.Mode == "" || now.IsZero() {
		return set, engine.Errorf(engine.CodeInvalid, "Snapshot", "The snapshot doesn't say how its clock is set.")
	}
	return set, set.Check()
}
