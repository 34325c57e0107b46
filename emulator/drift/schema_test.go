package drift

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// A library for OpenAPI finds the same bodies wrong: the examples of the contract, and each of them with one value replaced, removed, or added.
func TestSchemasLikeTheLibrary(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	require.NoError(t, err)
	for _, s := range doc.Components.Schemas { // the library checks constants only if it compiles the schema for each value
		for _, p := range s.Value.Properties {
			if p.Value.Const != nil {
				p.Value.Enum = []any{p.Value.Const}
			}
		}
	}
	operations, err := parse(api.Spec)
	require.NoError(t, err)
	right, wrong, seen := 0, 0, map[string]bool{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for status, r := range op.Responses.Map() {
				media := r.Value.Content.Get("application/json")
				if media == nil || r.Ref != "" && seen[r.Ref] { // most errors are shared
					continue
				}
				seen[r.Ref] = true
				own := operations[op.OperationID].responses[int(status[0]-'0')*100+int(status[1]-'0')*10+int(status[2]-'0')].content["application/json"]
				for _, body := range examplesOf(t, media) {
					for _, v := range variants(body) {
						err := media.Schema.Value.VisitJSON(v, openapi3.VisitAsResponse())
						require.Equal(t, err == nil, own.fits(v), "%s %s: %s: %v", op.OperationID, status, show(v), err)
						if right++; err != nil {
							right, wrong = right-1, wrong+1
						}
					}
				}
			}
		}
	}
	require.Greater(t, right, 100)
	require.Greater(t, wrong, 1000)
}

// examplesOf returns the examples of a body, as encoding/json reads them.
func examplesOf(t *testing.T, media *openapi3.MediaType) (all []any) {
	t.Helper()
	found := []any{media.Example}
	for _, e := range media.Examples {
		found = append(found, e.Value.Value)
	}
	for _, e := range found {
		raw, err := json.Marshal(e)
		require.NoError(t, err)
		var v any
		require.NoError(t, json.Unmarshal(raw, &v))
		all = append(all, v)
	}
	return all
}

// variants returns a value, and the value with each of its parts replaced, removed, or extended, one at a time.
func variants(v any) (all []any) {
	all = append(all, v, nil, true, -1.0, 1.5, "", "x", []any{}, map[string]any{})
	switch v := v.(type) {
	case []any:
		for i := range v {
			for _, part := range variants(v[i]) {
				changed := append([]any{}, v...)
				changed[i] = part
				all = append(all, changed)
			}
		}
	case map[string]any:
		for name := range v {
			for _, part := range variants(v[name]) {
				changed := maps.Clone(v)
				changed[name] = part
				all = append(all, changed)
			}
			without := maps.Clone(v)
			delete(without, name)
			all = append(all, without)
		}
		more := maps.Clone(v)
		more["more"] = 1.0
		all = append(all, more)
	}
	return all
}

// Documents that drift can't read are refused.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	body := func(schema string) string {
		return `{"paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": ` + schema + `}}}}}}}}`
	}
	for _, c := range []struct{ spec, want string }{
		{body(`{"anyOf": []}`), "the keyword anyOf"},
		{body(`{"$ref": "#/components/schemas/Missing"}`), "the reference #/components/schemas/Missing"},
		{`{"paths": {"/a": {"$ref": "#/paths/~1a"}, "/b": 7}}`, "can't read"},
		{`{"paths": {"/a": {"get": {"operationId": "a", "responses": {"2XX": {}}}}}}`, "the status 2XX"},
		{"paths: [", ""},
	} {
		_, err := parse([]byte(c.spec))
		require.ErrorContains(t, err, c.want, c.spec)
	}
}
