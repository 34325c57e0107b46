package emulatortest

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// capsulesVariable names the folder of capsules; that it is set has every test record.
const capsulesVariable = "SOUNDSTAGE_CAPSULES"

// WithCapsule records the requests of the default world and of those that NewWorld and Fork make, and what Clock, Faults, Webhooks, Load
// and Reset do there. A test that fails leaves them in NAME.capsule.json, NAME.WORLD.capsule.json for another world, in the folder that SOUNDSTAGE_CAPSULES names or else soundstage-capsules in the folder of temporary files, and logs
// how to send them again. Where SOUNDSTAGE_CAPSULES is set every test does so.
func WithCapsule() Option { return func(c *config) { c.capsule = true } }

// startCapsule begins to record the world, where that is wanted.
func (w *World) startCapsule(t testing.TB) {
	t.Helper()
	if !w.server.capsules {
		return
	}
	if err := w.server.Sandbox.StartCapsule(context.Background(), w.Name); err != nil {
		t.Logf("no capsule is recorded: %s", explain(err))
	}
}

// leaveCapsule writes what was recorded, when the test has failed.
func (w *World) leaveCapsule(t testing.TB) {
	t.Helper()
	if !t.Failed() || w.server.Sandbox.Recorder(w.Name) == nil {
		return
	}
	c, err := w.server.Sandbox.Capsule(w.Name)
	folder := os.Getenv(capsulesVariable)
	if folder == "" {
		folder = filepath.Join(os.TempDir(), "soundstage-capsules")
	}
	name := t.Name()
	if w.Name != control.DefaultWorld {
		name += "." + w.Name
	}
	path := filepath.Join(folder, strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(name)+".capsule.json")
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		err = c.WriteFile(path)
	}
	if err != nil {
		t.Logf("the capsule can't be written: %v", err)
		return
	}
	t.Logf("soundstage replay %s", path)
}

// note records what a method does as the request that does the same; done gets what came of it.
func (w *World) note(method, path string, body any) (done func(ok int, err error)) {
	r := w.server.Sandbox.Recorder(w.Name)
	if r == nil {
		return func(int, error) {}
	}
	raw, isText := body.([]byte)
	if !isText && body != nil {
		raw, _ = json.Marshal(body)
	}
	ended := r.Note(method, "/_soundstage/"+path+"?world="+url.QueryEscape(w.Name), raw)
	return func(ok int, err error) {
		if err != nil {
			ok = api.StatusOf(engine.CodeOf(err))
		}
		ended(ok)
	}
}
