package control

import (
	_ "embed"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// Spec is the OpenAPI document of the control API.
//
//go:embed openapi.yaml
var Spec []byte

// contractRoutes are the endpoints about the control API itself.
var contractRoutes = routes{
	"GET /_soundstage/openapi.yaml": func(h Host, w http.ResponseWriter, req *http.Request) error {
		api.WriteDocument(w, Spec, h.BaseURL(req))
		return nil
	},
}
