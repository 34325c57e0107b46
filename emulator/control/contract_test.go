package control_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/emulator/control"
)

// parse parses the control API's OpenAPI document.
func parse(t *testing.T) *contract.Contract {
	t.Helper()
	openapi3filter.RegisterBodyDecoder("application/x-ndjson", openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder("text/event-stream", firstMessage)
	openapi3filter.RegisterBodyDecoder("audio/wav", openapi3filter.FileBodyDecoder)
	c, err := contract.Parse(control.Spec)
	require.NoError(t, err)
	return c
}

// firstMessage decodes the first message of a stream of Server-Sent Events.
func firstMessage(body io.Reader, _ http.Header, _ *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
	return readMessage(bufio.NewReader(body))
}

// readMessage reads one message of a stream of Server-Sent Events, with its data decoded. It skips comments and messages without data.
func readMessage(r *bufio.Reader) (map[string]any, error) {
	m := map[string]any{}
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case line == "\n" && m["data"] != nil:
			return m, nil
		case line == "\n":
			m = map[string]any{}
		case name == "data":
			var data any
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				return nil, err
			}
			m["data"] = data
		case name != "":
			m[name] = value
		}
	}
}

// operations returns the document's operations by "METHOD /path".
func operations(c *contract.Contract) map[string]*openapi3.Operation {
	all := map[string]*openapi3.Operation{}
	for path, item := range c.Doc.Paths.Map() {
		for method, op := range item.Operations() {
			all[method+" "+path] = op
		}
	}
	return all
}

// The document lists exactly the served endpoints, each with a unique ID, a documented tag, and the guard's error responses.
func TestContractHasEveryEndpoint(t *testing.T) {
	t.Parallel()
	c := parse(t)
	documented := operations(c)
	var missing, surplus []string
	for _, pattern := range control.Routes() {
		if documented[pattern] == nil {
			missing = append(missing, pattern)
		}
	}
	for pattern := range documented {
		if !slices.Contains(control.Routes(), pattern) {
			surplus = append(surplus, pattern)
		}
	}
	slices.Sort(missing)
	slices.Sort(surplus)
	assert.Empty(t, missing, "endpoints that openapi.yaml lacks")
	assert.Empty(t, surplus, "operations of openapi.yaml that are not served")
	ids := map[string]bool{}
	for pattern, op := range documented {
		require.False(t, ids[op.OperationID], op.OperationID)
		ids[op.OperationID] = true
		require.Len(t, op.Tags, 1, pattern)
		require.NotNil(t, c.Doc.Tags.Get(op.Tags[0]), pattern)
		if op.Security == nil { // not public
			require.NotNil(t, op.Responses.Status(401), pattern)
			require.NotNil(t, op.Responses.Status(403), pattern)
		}
	}
	require.Len(t, ids, len(documented))
}

// The document lacks nothing that its readers need.
func TestContractStyle(t *testing.T) {
	t.Parallel()
	require.Empty(t, contract.Style(control.Spec))
}

// Each example in the document matches its schema.
func TestContractExamples(t *testing.T) {
	t.Parallel()
	checked := 0
	check := func(where string, content openapi3.Content) {
		for mediaType, m := range content {
			values := []any{}
			if m.Example != nil {
				values = append(values, m.Example)
			}
			for _, e := range m.Examples {
				values = append(values, e.Value.Value)
			}
			for _, v := range values {
				checked++
				schema := m.Schema.Value
				if lines := schema.ContentSchema; lines != nil {
					require.NoError(t, json.Unmarshal([]byte(v.(string)), &v), "%s", where)
					schema = lines.Value
				}
				require.NoError(t, schema.VisitJSON(v, openapi3.EnableJSONSchema2020()), "%s %s", where, mediaType)
			}
		}
	}
	for pattern, op := range operations(parse(t)) {
		if op.RequestBody != nil {
			check(pattern, op.RequestBody.Value.Content)
		}
		for status, r := range op.Responses.Map() {
			check(pattern+" "+status, r.Value.Content)
		}
	}
	require.Greater(t, checked, 350)
}

// client calls a sandbox and validates every exchange with the control API against the document.
type client struct {
	*testing.T
	url  string
	seen map[string]bool // "getHealth 2", "getHealth 4": operations by status class
	c    *contract.Contract
}

func serve(t *testing.T, o emulator.Options) *client {
	t.Helper()
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	c := parse(t)
	front := httptest.NewServer(c.Check(t, s.Handler()))
	t.Cleanup(func() {
		front.Close()
		require.NoError(t, s.Close())
	})
	return &client{T: t, url: front.URL, seen: map[string]bool{}, c: c}
}

// do sends a request "METHOD /path" with an optional JSON body, requires a status, and returns the JSON response.
func (c *client) do(want int, what, body string) map[string]any {
	c.Helper()
	raw := c.send(want, what, "application/json", body)
	var v map[string]any
	if strings.HasPrefix(raw, "{") {
		require.NoError(c, json.Unmarshal([]byte(raw), &v))
	}
	if want >= 400 {
		require.NotEmpty(c, v["error"], what)
	}
	return v
}

// send sends a request "METHOD /path" with an optional body, requires a status, and returns the response body.
func (c *client) send(want int, what, contentType, body string) string {
	c.Helper()
	return c.sendWith(nil, want, what, contentType, body)
}

// sendWith is send with headers.
func (c *client) sendWith(headers http.Header, want int, what, contentType, body string) string {
	c.Helper()
	method, path, _ := strings.Cut(what, " ")
	var sent io.Reader
	if body != "" {
		sent = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(c.Context(), method, c.url+path, sent)
	require.NoError(c, err)
	if headers != nil {
		req.Header = headers
	}
	if body != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(c, err)
	require.Equal(c, want, resp.StatusCode, "%s: %s", what, raw)
	c.note(method, path, want)
	return string(raw)
}

// operation returns the operation of a request.
func (c *client) operation(method, path string) *openapi3.Operation {
	path, _, _ = strings.Cut(path, "?")
	best, literal := &openapi3.Operation{}, -1
	for pattern, op := range operations(c.c) {
		m, p, _ := strings.Cut(pattern, " ")
		if n := literalSegments(p, path); m == method && n > literal {
			best, literal = op, n
		}
	}
	return best
}

func (c *client) note(method, path string, status int) {
	best := c.operation(method, path).OperationID
	class := " fails"
	if status < 400 {
		class = " works"
	}
	c.seen[best+class] = true
}

// literalSegments returns how many segments of a path equal the template's, or -1 when the path doesn't match.
func literalSegments(template, path string) int {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return -1
	}
	n := 0
	for i := range a {
		switch {
		case a[i] == b[i]:
			n++
		case !strings.HasPrefix(a[i], "{"):
			return -1
		}
	}
	return n
}

// open sends a request with a streaming response, passes its lines to read, and ends it. Each line must match the document.
func (c *client) open(what, body string, read func(next func() map[string]any)) {
	c.Helper()
	method, path, _ := strings.Cut(what, " ")
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewBufferString(body))
	require.NoError(c, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(c, 200, resp.StatusCode)
	c.note(method, path, 200)
	schema := c.operation(method, path).Responses.Status(200).Value.Content["application/x-ndjson"].Schema.Value.ContentSchema.Value
	lines := bufio.NewReader(resp.Body)
	read(func() map[string]any {
		line, err := lines.ReadBytes('\n')
		require.NoError(c, err)
		var v map[string]any
		require.NoError(c, json.Unmarshal(line, &v))
		require.NoError(c, schema.VisitJSON(v, openapi3.EnableJSONSchema2020()), "%s", line)
		return v
	})
}
