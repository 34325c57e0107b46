package control

import (
	"context"
	"mime"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
)

// fixtureWorld is what fixtures need of a World.
type fixtureWorld interface {
	// ApplyFixture writes what a fixture has and binds the rest: all of it or nothing. Errors: those of engine.Plant.
	ApplyFixture(context.Context, *fixture.Fixture) (fixture.Applied, error)
	// Fixtures lists what fixtures have bound.
	Fixtures() fixture.Bound
}

// fixtureRoutes are about fixtures and magic inputs.
var fixtureRoutes = routes{
	"POST /_soundstage/fixtures": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		name, err := fixtureName(req)
		if err != nil {
			return err
		}
		f, err := fixture.Parse(req.Body, name)
		if err != nil {
			return err
		}
		applied, err := world.ApplyFixture(req.Context(), f)
		if err == nil {
			write(w, http.StatusCreated, applied)
		}
		return err
	},
	"GET /_soundstage/fixtures": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err == nil {
			write(w, http.StatusOK, world.Fixtures())
		}
		return err
	},
	"GET /_soundstage/magic": func(_ Host, w http.ResponseWriter, _ *http.Request) error {
		write(w, http.StatusOK, struct {
			Inputs []fixture.Magic `json:"inputs"`
		}{fixture.Magics()})
		return nil
	},
}

// fixtureName is what a fixture's errors call the body: its Content-Type says whether it is YAML or JSON; without one, its first
// character.
func fixtureName(req *http.Request) (string, error) {
	raw := req.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(raw)
	switch {
	case raw == "", kind == "application/x-www-form-urlencoded": // which curl sends when nothing is said
		return "fixture", nil
	case err != nil:
	case kind == "application/json":
		return "fixture.json", nil
	case kind == "application/yaml", kind == "application/x-yaml", kind == "text/yaml", kind == "text/x-yaml", kind == "text/plain":
		return "fixture.yaml", nil
	}
	return "", engine.Errorf(engine.CodeInvalid, "fixtures", "A fixture is application/yaml or application/json, not %q.", raw)
}
