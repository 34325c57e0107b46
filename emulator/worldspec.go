package emulator

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// worldSpec describes how to create a world.
type worldSpec struct {
	name    string
	seed    uint64
	clock   ClockMode
	secrets []Secret
	hidden  bool   // whether the secrets are custom, so that the control API doesn't return them
	forkOf  string // name of the world that it was forked from; "" for none
	renders RenderDefaults
}

// options returns the server's options with the world's values.
func (s worldSpec) options(o Options) Options {
	o.Seed, o.Clock, o.Secrets = s.seed, s.clock, s.secrets
	return o
}

// inURLs returns the world's name for signed URLs. The default world has none, like the hosted service.
func (s worldSpec) inURLs() string {
	if s.name == control.DefaultWorld {
		return ""
	}
	return s.name
}

// maxWorldName is the maximum length of a world's name.
const maxWorldName = 64

// validWorldName reports whether a name is valid in secrets, URLs, and paths.
func validWorldName(name string) bool {
	return name != "" && len(name) <= maxWorldName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// secretPrefix is the prefix of every sandbox secret. The real service rejects it.
const secretPrefix = "sk_sandbox_"

// otherUser replaces the tier in secrets of a world's second user.
const otherUser = "other"

// worldSecrets returns the secrets of a world. If secret is true, they have a random suffix.
func worldSecrets(name string, secret bool) []Secret {
	secrets := SandboxSecrets()
	for i := range secrets {
		secrets[i].Value += "_" + name
		if secret {
			secrets[i].Value += "_" + rand.Text()
		}
	}
	return secrets
}

// worldOfSecret parses the world's name from a secret of the form sk_sandbox_TIER_WORLD, optionally with a random suffix after
// another underscore. ok is false for every other secret.
func worldOfSecret(secret string) (world string, guessable, ok bool) {
	rest, ok := strings.CutPrefix(secret, secretPrefix)
	if !ok {
		return "", false, false
	}
	tier, rest, ok := strings.Cut(rest, "_")
	if !ok || tier != otherUser && !engine.Tier(tier).Includes(engine.TierNone) {
		return "", false, false
	}
	world, _, long := strings.Cut(rest, "_")
	return world, !long, validWorldName(world) && world != control.DefaultWorld
}

// exclusiveStore is a memory store that a single engine uses. When a forked world starts, its engine takes over the parent's
// running jobs.
type exclusiveStore struct{ *memory.Store }

// Exclusive implements engine.ExclusiveStore.
func (exclusiveStore) Exclusive() bool { return true }

// openEphemeral creates a memory store and a blob index, empty or with the initial state.
func (w *world) openEphemeral(t *shared, o Options, begin *state) {
	w.ids = newIDs(o.Seed, w.spec.name, o.Secrets)
	w.key = w.ids.key()
	if begin == nil {
		w.store, w.blobs = exclusiveStore{memory.NewStore()}, blobs.New(t.pool, w.time.clock.Now)
		return
	}
	w.ids.resume(begin.ids)
	// No row is later, even if the clock never moved. Frozen clocks show the state's time again.
	w.createdAfter = w.time.clock.Now().Add(time.Duration(w.ids.total()) * time.Microsecond)
	w.key = begin.key // cursors stay valid
	w.store, w.blobs = exclusiveStore{begin.store.Fork()}, begin.blobs.Fork(begin.blobs.Snapshot(), w.time.clock.Now)
}
