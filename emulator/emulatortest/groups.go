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

// groups makes the groups of a world's control.
func (w *World) groups() {
	w.Wait, w.Clock, w.Faults, w.Webhooks, w.Requests = Wait{w}, Clock{w}, Faults{w}, Webhooks{w}, Requests{w}
}

// Control is what the control API controls of the world: whatever there is no method for. Reset replaces it.
func (w *World) Control() control.World {
	w.t.Helper()
	c, err := w.server.Sandbox.World(w.Name)
	w.must("the world "+w.Name, err)
	return c
}

// Load applies a fixture, all of it or nothing: a file, or the YAML or JSON itself, which has more than one line or begins with “{”.
// What is said is wrong with it is fatal.
func (w *World) Load(source string) fixture.Applied {
	w.t.Helper()
	f, err := readFixture(source)
	w.must("the fixture", err)
	done := w.note("POST", "fixtures", fixtureText(source))
	applied, err := w.Control().ApplyFixture(context.Background(), f)
	done(201, err)
	w.must("the fixture", err)
	return applied
}

// fixtureText is the text of a fixture, which a file may have.
func fixtureText(source string) []byte {
	if strings.ContainsAny(source, "\n") || strings.HasPrefix(strings.TrimSpace(source), "{") {
		return []byte(source)
	}
	raw, _ := os.ReadFile(source) // it was read before
	return raw
}

// readFixture reads a fixture from a file, unless it is one itself.
func readFixture(source string) (*fixture.Fixture, error) {
	if strings.ContainsAny(source, "\n") || strings.HasPrefix(strings.TrimSpace(source), "{") {
		return fixture.Parse(strings.NewReader(source), "fixture")
	}
	return fixture.Load(source)
}

// limited is a context that ends when a Wait has taken too long.
func (w *World) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), w.server.limit)
}

// must ends the test on an error, with what was done then and the error's hint.
func (w *World) must(doing string, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %s", doing, explain(err))
	}
}

// explain is an error in a sentence, with its hint.
func explain(err error) string {
	text := engine.Message(err)
	if e := new(engine.Error); errors.As(err, &e) && e.Hint != "" {
		text += " " + e.Hint
	}
	return text
}
