package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/engine"
)

// Every engine code has an HTTP status.
func TestEveryCodeHasAStatus(t *testing.T) {
	t.Parallel()
	for _, code := range engine.Codes() {
		status := api.StatusOf(code)
		require.NotEmpty(t, http.StatusText(status), code)
		if code != engine.CodeInternal {
			require.NotEqual(t, http.StatusInternalServerError, status, code)
		}
	}
	require.Equal(t, http.StatusInternalServerError, api.StatusOf("unheard of"))
}

// The contract has exactly the routed operations, each with the tier that the router requires.
func TestContractHasEveryRoute(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	documented := map[string]string{}
	for path, item := range c.Doc.Paths.Map() {
		for method, op := range item.Operations() {
			tier, _ := op.Extensions["x-tier"].(string)
			documented[method+" "+path] = tier
		}
	}
	routed := api.Routes()
	routed["PUT /storage/{object_id}"], routed["GET /storage/{object_id}"] = "", ""
	for route, tier := range routed {
		got, ok := documented[route]
		require.True(t, ok, "%s is in routes.go, not in openapi.yaml: add it under paths, with x-tier: %s", route, tier)
		require.Equal(t, tier, got, "%s: x-tier of openapi.yaml is another tier than that of its row in routes.go", route)
	}
	for route, tier := range documented {
		require.Contains(t, routed, route, "%s is in openapi.yaml, not in routes.go: add a row with the tier %q and the method that handles it", route, tier)
	}
}

// Each operation, parameter, header, field, and status of the contract has a provenance.
func TestProvenance(t *testing.T) {
	t.Parallel()
	var doc yaml.Node
	require.NoError(t, yaml.Load(api.Spec, &doc))
	checked := 0
	var walk func(n *yaml.Node, path []string)
	walk = func(n *yaml.Node, path []string) {
		if n.Kind == yaml.DocumentNode || n.Kind == yaml.SequenceNode {
			for _, child := range n.Content {
				walk(child, path)
			}
			return
		}
		if n.Kind != yaml.MappingNode {
			return
		}
		if needsProvenance(path, n) {
			checked++
			got := valueOf(n, "x-provenance")
			require.Contains(t, []string{"specified", "documented", "assumed"}, got, strings.Join(path, " › "))
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; key != "example" && key != "examples" && key != "oneOf" {
				walk(n.Content[i+1], append(path[:len(path):len(path)], key))
			}
		}
	}
	walk(&doc, nil)
	require.Greater(t, checked, 500)
}

// needsProvenance reports whether a mapping of the document is an operation, a parameter, a header, a field, or a status.
func needsProvenance(path []string, n *yaml.Node) bool {
	if len(path) < 2 || valueOf(n, "$ref") != "" && path[len(path)-2] != "properties" {
		return false
	}
	switch parent := path[len(path)-2]; parent {
	case "properties", "responses", "headers", "schemas", "securitySchemes":
		return true
	case "components":
		return false
	default:
		return path[len(path)-1] == "parameters" && valueOf(n, "in") != "" || valueOf(n, "operationId") != "" ||
			parent == "parameters" && len(path) == 3 && path[0] == "components"
	}
}

func valueOf(n *yaml.Node, key string) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1].Value
		}
	}
	return ""
}

// Each request body and each response of the contract has an example.
func TestExamples(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	operations := 0
	for _, items := range []map[string]*openapi3.PathItem{c.Doc.Paths.Map(), c.Doc.Webhooks} {
		for path, item := range items {
			for method, op := range item.Operations() {
				operations++
				if op.RequestBody != nil {
					requireExamples(t, method+" "+path, op.RequestBody.Value.Content)
				}
				for status, r := range op.Responses.Map() {
					requireExamples(t, method+" "+path+" "+status, r.Value.Content)
				}
			}
		}
	}
	require.Greater(t, operations, 40)
}

// examined are the media types that need examples.
var examined = []string{"application/json", "application/xml", "text/plain", "text/vtt", "text/csv", "application/x-subrip"}

func requireExamples(t *testing.T, where string, content openapi3.Content) {
	t.Helper()
	for _, mediaType := range examined {
		if m := content[mediaType]; m != nil {
			require.True(t, m.Example != nil || len(m.Examples) > 0, "%s: %s has no example", where, mediaType)
		}
	}
}

// A contract with an example that doesn't match its schema is rejected.
func TestExamplesFit(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(string(api.Spec), "import_id: imp_", "import_id: im_", 1)
	require.NotEqual(t, string(api.Spec), bad)
	_, err := contract.Parse([]byte(bad))
	require.ErrorContains(t, err, "import_id")
}

// failures counts reported failures.
type failures int

func (f *failures) Helper()               {}
func (f *failures) Errorf(string, ...any) { *f++ }

// The contract check detects every kind of mismatch.
func TestContractNotices(t *testing.T) {
	t.Parallel()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	answers := func(status int, contentType, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
	}
	for name, k := range map[string]struct {
		method, path, body string
		answer             http.Handler
		want               int
	}{
		"a valid exchange":           {"GET", "/v1/spaces", "", answers(200, "application/json", `{"spaces":[],"count":0}`), 0},
		"a missing field":            {"GET", "/v1/spaces", "", answers(200, "application/json", `{"spaces":[]}`), 1},
		"a field of a wrong type":    {"GET", "/v1/spaces", "", answers(200, "application/json", `{"spaces":[],"count":"0"}`), 1},
		"an unknown field":           {"GET", "/v1/spaces", "", answers(200, "application/json", `{"spaces":[],"count":0,"more":1}`), 1},
		"an undocumented status":     {"GET", "/v1/spaces", "", answers(418, "application/json", `{"error":"x"}`), 1},
		"an undocumented type":       {"GET", "/v1/spaces", "", answers(200, "text/html", `<p>`), 1},
		"an unknown path":            {"GET", "/v1/nothing", "", answers(200, "application/json", `{}`), 1},
		"an unknown path with 404":   {"GET", "/v1/nothing", "", answers(404, "application/json", `{}`), 0},
		"an accepted bad request":    {"POST", "/v1/transcripts", `{"url":7}`, answers(201, "application/json", `{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"queued"}`), 1},
		"a rejected bad request":     {"POST", "/v1/transcripts", `{"url":7}`, answers(400, "application/json", `{"errors":{"url":["is invalid"]},"valid":false}`), 0},
		"completed without words":    {"GET", "/v1/transcripts/x", "", answers(200, "application/json", `{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"completed"}`), 1},
		"an error beside processing": {"GET", "/v1/transcripts/x", "", answers(200, "application/json", `{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"processing","error":"x"}`), 1},
		"a refusal without tiers":    {"GET", "/v1/usage", "", answers(403, "application/json", `{"error":"x"}`), 0},
		"a refusal with its tiers":   {"GET", "/v1/usage", "", answers(403, "application/json", `{"error":"x","required_tier":"platform","current_tier":"core"}`), 0},
		"a refusal with one tier":    {"GET", "/v1/usage", "", answers(403, "application/json", `{"error":"x","required_tier":"platform"}`), 1},
		"a transcript that waits":    {"GET", "/v1/transcripts/x", "", answers(200, "application/json", `{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"queued"}`), 0},
		"a transcript without state": {"GET", "/v1/transcripts/x", "", answers(200, "application/json", `{"id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11"}`), 1},
		"a hit":                      {"GET", "/v1/search?query=a", "", answers(200, "application/json", `{"query":"a","results":[{"kind":"recording","recording_id":"x","recording_title":"a","snippet":"a"}],"count":1}`), 0},
		"a hit of another kind":      {"GET", "/v1/search?query=a", "", answers(200, "application/json", `{"query":"a","results":[{"kind":"content","recording_id":"x","recording_title":"a","snippet":"a"}],"count":1}`), 1},
		"an allowed null":            {"GET", "/v1/chat/x", "", answers(200, "application/json", `{"chat_id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":"queued","answer":null,"recording_ids":["x"]}`), 0},
		"a forbidden null":           {"GET", "/v1/chat/x", "", answers(200, "application/json", `{"chat_id":"0b3c1f6e-58ab-4f0e-9a43-1c2f8f0d2a11","status":null,"answer":null,"recording_ids":["x"]}`), 1},
		"a response without a body":  {"DELETE", "/v1/webhooks/x", "", answers(204, "", ""), 0},
		"a limit without its header": {"GET", "/v1/spaces", "", answers(429, "application/json", `{"error":"Too many requests."}`), 1},
	} {
		var f failures
		req, err := http.NewRequest(k.method, "http://sandbox"+k.path, strings.NewReader(k.body))
		require.NoError(t, err)
		if k.body != "" {
			req.Header.Set("Content-Type", "application/json")
		}
		c.Check(&f, k.answer).ServeHTTP(discard{http.Header{}}, req)
		require.Equal(t, failures(k.want), f, name)
	}
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(p []byte) (int, error) { return len(p), nil }
func (d discard) WriteHeader(int)             {}
