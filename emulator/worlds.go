package emulator

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/engine"
)

// maxWorlds is the maximum number of worlds of a server.
const maxWorlds = 10_000

// worlds are a server's worlds by name. The default world always exists.
type worlds struct {
	change sync.Mutex     // held while worlds are created, replaced and deleted
	closed bool           // guarded by change
	named  int            // number of generated names; guarded by change
	ending sync.WaitGroup // removed worlds that still serve requests

	mu  sync.RWMutex // held briefly
	all map[string]*world
}

// find returns a world by name.
func (s *worlds) find(name string) (*world, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	w, ok := s.all[name]
	return w, ok
}

// enter returns a world by name for a request. The caller calls its requests.Done at the end of the request.
func (s *worlds) enter(name string) (*world, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	w, ok := s.all[name]
	if ok {
		w.requests.Add(1)
	}
	return w, ok
}

// set adds a world, and returns the one of that name that it replaces.
func (s *worlds) set(w *world) (old *world) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old = s.all[w.Name()]
	s.all[w.Name()] = w
	return old
}

// remove removes a world by name.
func (s *worlds) remove(name string) (*world, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.all[name]
	delete(s.all, name)
	return w, ok
}

// list returns all worlds: the default one, then the others by name.
func (s *worlds) list() []*world {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]*world, 0, len(s.all))
	for _, w := range s.all {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *world) int {
		switch {
		case a.Name() == control.DefaultWorld:
			return -1
		case b.Name() == control.DefaultWorld:
			return 1
		}
		return strings.Compare(a.Name(), b.Name())
	})
	return all
}

func (s *worlds) count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.all)
}

// enterFor returns the world of a request's secret or signed URL, or the default world. The caller calls its requests.Done at the
// end of the request. Errors are those of CreateWorld, which a new secret may require.
func (s *Server) enterFor(req *http.Request) (*world, error) {
	name, guessable, ok := worldOfSecret(api.BearerSecret(req))
	if !ok {
		name, guessable = api.WorldOfObject(req), false
	}
	if w, ok := s.worlds.enter(name); ok {
		return w, nil
	}
	if s.opts.WorldPerKey && guessable {
		if _, err := s.CreateWorld(req.Context(), control.NewWorld{Name: name}); err != nil && engine.CodeOf(err) != engine.CodeConflict {
			return nil, err
		}
		if w, ok := s.worlds.enter(name); ok {
			return w, nil
		}
	}
	w, _ := s.worlds.enter(control.DefaultWorld)
	return w, nil
}

// CreateWorld creates an empty world, or a copy of another world or snapshot in constant time. CodeInvalid for an invalid name or
// clock; CodeNotFound for an unknown world or snapshot to copy; CodeConflict when the name is taken or with a data folder;
// CodeNoSpace when there are too many worlds.
func (s *Server) CreateWorld(ctx context.Context, n control.NewWorld) (control.WorldInfo, error) {
	const op = "CreateWorld"
	if s.opts.DataDir != "" {
		return control.WorldInfo{}, oneWorld(op)
	}
	s.worlds.change.Lock()
	defer s.worlds.change.Unlock()
	if s.worlds.closed {
		return control.WorldInfo{}, engine.Errorf(engine.CodeUnavailable, op, "The server is shutting down.")
	}
	if n.Name != "" && s.worlds.has(n.Name) { // before the count: concurrent requests with a new key find their world
		return control.WorldInfo{}, taken(op, n.Name)
	}
	if s.worlds.count() >= s.opts.MaxWorlds {
		return control.WorldInfo{}, engine.Errorf(engine.CodeNoSpace, op, "The server already has %d worlds, the maximum.", s.opts.MaxWorlds).
			WithHint("Delete unused worlds with DELETE /_soundstage/worlds/NAME.")
	}
	spec, begin, err := s.specOf(n)
	if err != nil {
		return control.WorldInfo{}, err
	}
	w, err := newWorld(context.WithoutCancel(ctx), s.shared, spec, begin)
	if err != nil {
		return control.WorldInfo{}, err
	}
	w.live.Attach()
	s.worlds.set(w)
	s.announce(control.WorldCreated, w.Name())
	return w.info(), nil
}

// specOf validates a new world. begin is its initial state; nil means empty.
func (s *Server) specOf(n control.NewWorld) (spec worldSpec, begin *state, err error) {
	const op = "CreateWorld"
	spec = worldSpec{name: n.Name, seed: s.opts.Seed, clock: s.opts.Clock, forkOf: n.ForkOf, renders: s.opts.Renders}
	if begin, err = s.initialState(n, &spec); err != nil {
		return spec, nil, err
	}
	if n.Seed != nil {
		spec.seed = *n.Seed
	}
	if n.Clock != "" {
		spec.clock = ClockMode(n.Clock)
	}
	for spec.name == "" { // the next free name
		s.worlds.named++
		if name := fmt.Sprintf("world-%d", s.worlds.named); !s.worlds.has(name) {
			spec.name = name
		}
	}
	spec.secrets = worldSecrets(spec.name, !s.sandboxSecrets)
	switch {
	case !validWorldName(spec.name):
		return spec, nil, engine.Errorf(engine.CodeInvalid, op, "%.100q is not a valid world name.", n.Name).
			WithHint("Use 1 to 64 of the characters a-z, 0-9, and -.")
	case s.worlds.has(spec.name):
		return spec, nil, taken(op, spec.name)
	}
	_, err = spec.options(s.opts).clockSetting()
	return spec, begin, err
}

func (s *worlds) has(name string) bool {
	_, ok := s.find(name)
	return ok
}

// Worlds returns every world: the default one, then the others by name.
func (s *Server) Worlds() []control.WorldInfo {
	all := s.worlds.list()
	infos := make([]control.WorldInfo, len(all))
	for i, w := range all {
		infos[i] = w.info()
	}
	return infos
}

// DeleteWorld deletes a world and revokes its secrets. It returns when the world's requests have ended or ctx is done.
// CodeNotFound for an unknown world; CodeConflict for the default one.
func (s *Server) DeleteWorld(ctx context.Context, name string) error {
	const op = "DeleteWorld"
	if name == control.DefaultWorld {
		return engine.Errorf(engine.CodeConflict, op, "The default world can't be deleted.").WithHint("Empty it with POST /_soundstage/reset.")
	}
	w, ok := s.removeWorld(name)
	if !ok {
		return noWorld(op, name)
	}
	defer s.worlds.ending.Done()
	return w.close(ctx)
}

// removeWorld removes a world with what other parts keep under its name, and counts it as ending. No world of the name is created meanwhile.
func (s *Server) removeWorld(name string) (*world, bool) {
	s.worlds.change.Lock()
	defer s.worlds.change.Unlock()
	w, ok := s.worlds.remove(name)
	if ok {
		s.worlds.ending.Add(1)
		s.recorders.drop(name)
		s.announce(control.WorldDeleted, name)
		s.shared.hub.Drop(name)
	}
	return w, ok
}

// announce tells every stream that a world changed.
func (s *Server) announce(change, world string) {
	s.shared.hub.Announce(live.World, control.WorldChange{Change: change, World: world})
}

// Reset empties a world except for its users, spaces, and secrets; "" means the default world. CodeNotFound for an unknown world;
// CodeConflict with a data folder.
func (s *Server) Reset(ctx context.Context, name string) error {
	const op = "Reset"
	if s.opts.DataDir != "" {
		return engine.Errorf(engine.CodeConflict, op, "A sandbox with a data folder can't be reset.").
			WithHint("Start it without --data, or delete the folder while the sandbox is stopped.")
	}
	old, err := s.replace(ctx, name, nil, control.WorldReset)
	if err != nil {
		return err
	}
	defer s.worlds.ending.Done()
	return old.close(ctx)
}

// replace replaces a world by one with the given state, nil for an empty one, and counts the old world as ending. change is what its stream is
// told.
func (s *Server) replace(ctx context.Context, name string, begin *state, change string) (old *world, err error) {
	s.worlds.change.Lock()
	defer s.worlds.change.Unlock()
	if s.worlds.closed {
		return nil, engine.Errorf(engine.CodeUnavailable, "Reset", "The server is shutting down.")
	}
	if old, err = s.find(name); err != nil {
		return nil, err
	}
	fresh, err := newWorld(context.WithoutCancel(ctx), s.shared, begin.spec(old.spec, s.opts), begin.with(old))
	if err != nil {
		return nil, err
	}
	s.worlds.ending.Add(1)
	fresh.live.Attach()
	old = s.worlds.set(fresh)
	s.announce(change, fresh.Name())
	fresh.clockMoved()
	return old, nil
}

// closeWorlds closes every world and waits for those that are ending.
func (s *Server) closeWorlds(ctx context.Context) error {
	s.worlds.change.Lock()
	defer s.worlds.change.Unlock()
	if s.worlds.closed {
		return nil
	}
	s.worlds.closed = true
	var errs []error
	for _, w := range s.worlds.list() {
		errs = append(errs, w.close(ctx))
	}
	s.worlds.ending.Wait()
	return errors.Join(errs...)
}

// find returns a world by name; "" means the default one. CodeNotFound for an unknown world.
func (s *Server) find(name string) (*world, error) {
	if name == "" {
		name = control.DefaultWorld
	}
	w, ok := s.worlds.find(name)
	if !ok {
		return nil, noWorld("World", name)
	}
	return w, nil
}

func noWorld(op, name string) error {
	return engine.Errorf(engine.CodeNotFound, op, "There is no world %.100q.", name).WithHint("List worlds with GET /_soundstage/worlds.")
}

func taken(op, name string) error {
	return engine.Errorf(engine.CodeConflict, op, "The world %q already exists.", name)
}

func oneWorld(op string) error {
	return engine.Errorf(engine.CodeConflict, op, "A sandbox with a data folder has only the default world.").
		WithHint("Start it without --data to create worlds.")
}

// info describes a world for the control API.
func (w *world) info() control.WorldInfo {
	info := control.WorldInfo{
		World: w.spec.name, Seed: w.spec.seed, Clock: string(w.spec.clock), Time: w.Time(), ForkOf: w.spec.forkOf, Secrets: map[string]string{},
	}
	if w.spec.hidden {
		return info
	}
	for _, s := range w.secrets {
		kind := string(s.Tier)
		if s.Other {
			kind = otherUser
		}
		info.Secrets[kind] = s.Value
	}
	return info
}

// Secrets returns the public sandbox secrets of a world; "" means the default one. CodeNotFound for an unknown world.
func (s *Server) Secrets(ctx context.Context, name string) (control.Secrets, error) {
	w, err := s.find(name)
	if err != nil {
		return control.Secrets{}, err
	}
	out := control.Secrets{World: w.Name(), Secrets: []control.SandboxSecret{}}
	if !s.sandboxSecrets { // those of other worlds have a random part then, and are not public either
		out.Reason = "The server was started with its own secrets, which it doesn't show."
		return out, nil
	}
	for _, secret := range w.secrets {
		caller, err := w.engine.Authenticate(ctx, secret.Value)
		if err != nil && engine.CodeOf(err) != engine.CodeUnauthenticated { // a key can be deleted
			return control.Secrets{}, err
		}
		out.Secrets = append(out.Secrets, control.SandboxSecret{Secret: secret.Value, Key: caller.KeyID, Tier: secret.Tier, Other: secret.Other})
	}
	rank := []engine.Tier{engine.TierNone, engine.TierCore, engine.TierAutomation, engine.TierPlatform}
	slices.SortStableFunc(out.Secrets, func(a, b control.SandboxSecret) int {
		if a.Other != b.Other {
			if b.Other {
				return -1
			}
			return 1
		}
		return slices.Index(rank, a.Tier) - slices.Index(rank, b.Tier)
	})
	return out, nil
}
