package emulator

import (
	"crypto/rand"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// worldSpec is what a world is made by.
type worldSpec struct {
	name    string
	seed    uint64
	clock   ClockMode
	secrets []Secret
	hidden  bool   // whether the secrets are the operator's own, which the control API doesn't tell
	forkOf  string // name of the world that it began as a copy of; "" for none
}

// options are the server's options as they are in the world.
func (s worldSpec) options(o Options) Options {
	o.Seed, o.Clock, o.Secrets = s.seed, s.clock, s.secrets
	return o
}

// inAddresses is how signed addresses name the world: the default one's are those of the hosted service, without a name.
func (s worldSpec) inAddresses() string {
	if s.name == control.DefaultWorld {
		return ""
	}
	return s.name
}

// maxWorldName is how many characters the name of a world may have.
const maxWorldName = 64

// validWorldName reports whether a world may have the name: it stands in secrets, addresses and paths.
func validWorldName(name string) bool {
	return name != "" && len(name) <= maxWorldName && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// secretPrefix is the beginning of every secret of a sandbox. The real service refuses it.
const secretPrefix = "sk_sandbox_"

// otherUser stands in secrets of a world's second user where those of the first have the tier.
const otherUser = "other"

// worldSecrets are the secrets of a world, by its name; secret ones end with what nobody can guess.
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

// worldOfSecret returns the world that a secret is of, going by its form alone: "sk_sandbox_TIER_WORLD", and what nobody can guess
// behind another underscore where the world's secrets are secret. ok is false for every other secret.
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

// exclusiveStore is a Store in memory that one engine works on alone: at its start it takes the jobs that the engine of the world
// that was forked had begun.
type exclusiveStore struct{ *memory.Store }

// Exclusive implements engine.ExclusiveStore.
func (exclusiveStore) Exclusive() bool { return true }

// openEphemeral gives a world a store in memory and an index of blobs: empty ones, or those of the state that it begins with.
func (w *world) openEphemeral(t *tools, o Options, begin *state) {
	w.ids = newIDs(o.Seed, w.spec.name, o.Secrets)
	w.key = w.ids.key()
	if begin == nil {
		w.store, w.blobs = exclusiveStore{memory.NewStore()}, blobs.New(t.shelf, w.time.clock.Now)
		return
	}
	w.ids.goOn(begin.ids)
	w.key = begin.key // cursors stay valid
	w.store, w.blobs = exclusiveStore{begin.store.Fork()}, begin.blobs.Fork(begin.blobs.Snapshot(), w.time.clock.Now)
}
