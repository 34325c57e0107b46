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

// capsulesVariable names the folder for capsules. If it is set, every test records.
const capsulesVariable = "SOUNDSTAGE_CAPSULES"

// WithCapsule records the requests of the default world and of worlds from NewWorld and Fork, and the calls of Clock, Faults,
// Webhooks, Load, and Reset. A failed test writes NAME.capsule.json (NAME.WORLD.capsule.json for other worlds) and logs the command
// that replays it. The folder is SOUNDSTAGE_CAPSULES, or else soundstage-capsules in the temporary folder. If SOUNDSTAGE_CAPSULES
// is set, every test records.
func WithCapsule() Option { return func(c *config) { c.capsule = true } }

// startCapsule starts to record the world, if capsules are enabled.
func (w *World) startCapsule(t testing.TB) {
	t.Helper()
	if !w.server.capsules {
		return
	}
	if err := w.server.Sandbox.StartCapsule(context.Background(), w.Name); err != nil {
		t.Logf("the capsule can't be recorded: %s", explain(err))
	}
}

// writeCapsule writes the recording if the test has failed.
func (w *World) writeCapsule(t testing.TB) {
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

// record records a method's change as the equivalent request. done takes the method's result.
func (w *World) record(method, path string, body any) (done func(ok int, err error)) {
	r := w.server.Sandbox.Recorder(w.Name)
	if r == nil {
		return func(int, error) {}
	}
	raw, isText := body.([]byte)
	if !isText && body != nil {
		raw, _ = json.Marshal(body)
	}
	ended := r.Record(method, "/_soundstage/"+path+"?world="+url.QueryEscape(w.Name), raw)
	return func(ok int, err error) {
		if err != nil {
			ok = api.StatusOf(engine.CodeOf(err))
		}
		ended(ok)
	}
}
