package control

import (
	"context"
	"mime"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
)

// fixtureWorld is the part of World for fixtures.
type fixtureWorld interface {
	// ApplyFixture creates a fixture's resources and binds its other entries, all or nothing. It returns the errors of engine.Plant.
	ApplyFixture(context.Context, *fixture.Fixture) (fixture.Applied, error)
	// Fixtures returns what the applied fixtures have bound.
	Fixtures() fixture.Bound
}

// fixtureRoutes are the endpoints for fixtures and magic inputs.
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
			writeJSON(w, http.StatusCreated, applied)
		}
		return err
	},
	"GET /_soundstage/fixtures": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err == nil {
			writeJSON(w, http.StatusOK, world.Fixtures())
		}
		return err
	},
	"GET /_soundstage/magic": func(_ Host, w http.ResponseWriter, _ *http.Request) error {
		writeJSON(w, http.StatusOK, struct {
			Inputs []fixture.Magic `json:"inputs"`
		}{fixture.Magics()})
		return nil
	},
}

// fixtureName returns the name of the body in a fixture's errors. Its extension, from the Content-Type, says whether the body is YAML or
// JSON; without a Content-Type, the first character decides.
func fixtureName(req *http.Request) (string, error) {
	raw := req.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(raw)
	switch {
	case raw == "", kind == "application/x-www-form-urlencoded": // curl's default
		return "fixture", nil
	case err != nil:
	case kind == "application/json":
		return "fixture.json", nil
	case kind == "application/yaml", kind == "application/x-yaml", kind == "text/yaml", kind == "text/x-yaml", kind == "text/plain":
		return "fixture.yaml", nil
	}
	return "", engine.Errorf(engine.CodeInvalid, "fixtures", "A fixture's Content-Type must be application/yaml or application/json (got %q).", raw)
}
