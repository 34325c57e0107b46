package emulatortest

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
)

// groups sets the fields that group the world's methods.
func (w *World) groups() {
	w.Wait, w.Clock, w.Faults, w.Webhooks, w.Requests = Wait{w}, Clock{w}, Faults{w}, Webhooks{w}, Requests{w}
}

// Control returns the interface behind the control API, for everything without a method here. Reset replaces it.
func (w *World) Control() control.World {
	w.t.Helper()
	c, err := w.server.Sandbox.World(w.Name)
	w.must("the world "+w.Name, err)
	return c
}

// Load applies a fixture completely or not at all. source is a file name, or YAML or JSON text, which contains a newline or begins
// with "{". An invalid fixture fails the test immediately.
func (w *World) Load(source string) fixture.Applied {
	w.t.Helper()
	f, err := readFixture(source)
	w.must("the fixture", err)
	done := w.record("POST", "fixtures", fixtureText(source))
	applied, err := w.Control().ApplyFixture(context.Background(), f)
	done(201, err)
	w.must("the fixture", err)
	return applied
}

// fixtureText returns the text of a fixture.
func fixtureText(source string) []byte {
	if strings.ContainsAny(source, "\n") || strings.HasPrefix(strings.TrimSpace(source), "{") {
		return []byte(source)
	}
	raw, _ := os.ReadFile(source) // readFixture has already read it
	return raw
}

// readFixture parses a fixture from a file name or text.
func readFixture(source string) (*fixture.Fixture, error) {
	if strings.ContainsAny(source, "\n") || strings.HasPrefix(strings.TrimSpace(source), "{") {
		return fixture.Parse(strings.NewReader(source), "fixture")
	}
	return fixture.Load(source)
}

// waitContext returns a context that ends after the wait limit.
func (w *World) waitContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), w.server.limit)
}

// must fails the test immediately on an error, with the action and the error's hint.
func (w *World) must(doing string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %s", doing, explain(err))
	}
}

// explain returns an error's message and hint.
func explain(err error) string {
	text := engine.Message(err)
	if e := new(engine.Error); errors.As(err, &e) && e.Hint != "" {
		text += " " + e.Hint
	}
	return text
}
