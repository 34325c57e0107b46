package control

import (
	_ "embed"
	"net/http"
)

// Spec is the OpenAPI document of the control API.
//
//go:embed openapi.yaml
var Spec []byte

// contractRoutes are the endpoints about the control API itself.
var contractRoutes = routes{
	"GET /_soundstage/openapi.yaml": func(_ Host, w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "application/yaml")
		_, _ = w.Write(Spec)
		return nil
	},
}
