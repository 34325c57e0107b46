package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

var mutations = flag.Int("mutations", 500, "number of requests that TestMutatedRequests sends")

// mutant generates almost valid requests for the contract's operations.
type mutant struct {
	rnd   *rand.Rand
	known ids
	ops   []operation
}

// operation is an operation of the contract with an example body.
type operation struct {
	method, path string
	query        []string
	body         map[string]any // nil without a body
}

func newMutant(t *testing.T, seed uint64, known ids) *mutant {
	t.Helper()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	m := &mutant{rnd: rand.New(rand.NewPCG(seed, 0)), known: known}
	paths := c.Doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if !strings.HasPrefix(path, "/v1/") {
			continue
		}
		ops := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(ops)) {
			m.ops = append(m.ops, operationOf(t, method, path, ops[method]))
		}
	}
	require.Greater(t, len(m.ops), 35)
	return m
}

func operationOf(t *testing.T, method, path string, op *openapi3.Operation) operation {
	t.Helper()
	o := operation{method: method, path: path}
	for _, p := range op.Parameters {
		if p.Value.In == "query" {
			o.query = append(o.query, p.Value.Name)
		}
	}
	if op.RequestBody == nil {
		return o
	}
	media := op.RequestBody.Value.Content["application/json"]
	require.NotNil(t, media, path)
	example := media.Example
	for _, e := range media.Examples {
		example = e.Value.Value
	}
	raw, err := json.Marshal(example)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &o.body), "%s %s has an example", method, path)
	return o
}

// wrongValues replace valid values in requests.
var wrongValues = []any{
	nil, true, false, 0, -1, 1.5, 1e308, -9.3e18, "", " ", "x", "\x00", "é\u0301🎙️", "\u202e", "../../etc/passwd", "' OR 1=1 --", "<script>", "{{7*7}}", "%00",
	strings.Repeat("a", 5000), []any{}, []any{nil}, []any{1, "a", []any{}}, map[string]any{}, map[string]any{"a": map[string]any{"b": []any{1}}},
	json.Number("99999999999999999999999999"), json.Number("1e999999"), json.Number("-0"), "http://169.254.169.254/latest", "https://", "file:///etc/passwd",
}

// next returns a request that is usually invalid in one respect.
func (m *mutant) next() *http.Request {
	o := m.ops[m.rnd.IntN(len(m.ops))]
	path := o.path
	for strings.Contains(path, "{") {
		start, end := strings.Index(path, "{"), strings.Index(path, "}")
		path = path[:start] + url.PathEscape(m.id()) + path[end+1:]
	}
	q := url.Values{}
	for _, name := range o.query {
		if m.rnd.IntN(3) == 0 {
			q.Set(name, m.text())
		}
	}
	target := path
	if len(q) > 0 {
		target += "?" + q.Encode()
	}
	if m.rnd.IntN(20) == 0 {
		target += "?%zz&a=%ff;b"
	}
	method := o.method
	if m.rnd.IntN(30) == 0 {
		method = []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"}[m.rnd.IntN(8)]
	}
	req := httptest.NewRequest(method, "http://sandbox/", bytes.NewReader(m.body(o)))
	if u, err := url.ParseRequestURI(target); err == nil {
		req.URL, req.RequestURI = u, target
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", m.authorization())
	return req
}

func (m *mutant) authorization() string {
	if m.rnd.IntN(25) == 0 {
		return []string{"", "Bearer", "Bearer x", "Basic eA==", "Bearer sk_sandbox_none", "Bearer sk_sandbox_core", "Bearer \x01", strings.Repeat("B", 9000)}[m.rnd.IntN(8)]
	}
	return "Bearer sk_sandbox_platform"
}

// id returns a known ID of any kind, or an unknown one.
func (m *mutant) id() string {
	if m.rnd.IntN(3) == 0 {
		return m.text()
	}
	kinds := slices.Sorted(maps.Keys(m.known))
	return m.known[kinds[m.rnd.IntN(len(kinds))]]
}

func (m *mutant) text() string {
	if m.rnd.IntN(4) == 0 {
		return m.known[[]string{"space", "recording", "prompt"}[m.rnd.IntN(3)]]
	}
	for {
		if s, ok := wrongValues[m.rnd.IntN(len(wrongValues))].(string); ok && s != "" {
			return s
		}
	}
}

// body returns the example body with some fields changed, or bytes that are not JSON.
func (m *mutant) body(o operation) []byte {
	if o.body == nil && m.rnd.IntN(4) > 0 {
		return nil
	}
	body := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(o.body)) {
		v := o.body[name]
		switch m.rnd.IntN(6) {
		case 0:
			continue
		case 1, 2:
			v = wrongValues[m.rnd.IntN(len(wrongValues))]
		case 3:
			v = m.id()
		}
		body[name] = v
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	switch m.rnd.IntN(25) {
	case 0:
		return raw[:m.rnd.IntN(len(raw)+1)]
	case 1:
		return append(raw, raw...)
	case 2:
		return bytes.Repeat([]byte("["), 1+m.rnd.IntN(3000))
	case 3:
		raw[m.rnd.IntN(len(raw))] = byte(m.rnd.IntN(256))
	}
	return raw
}

// Almost valid requests never cause a 5xx, and each error is a single sentence in a documented body. CI sends many more (-mutations).
func TestMutatedRequests(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it makes hundreds of requests")
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	known := r.populate()
	m := newMutant(t, 1, known)
	handler := r.server.Handler()
	statuses := map[int]int{}
	var slowest time.Duration
	var slow string
	for i := range *mutations {
		req := m.next()
		if strings.HasPrefix(req.URL.Path, "/v1/renders") && req.Method == http.MethodPost {
			req.Body = http.NoBody // an accidentally valid render would be slow
		}
		w := httptest.NewRecorder()
		start := time.Now()
		handler.ServeHTTP(w, req)
		if took := time.Since(start); took > slowest {
			slowest, slow = took, req.Method+" "+req.URL.Path
		}
		statuses[w.Code]++
		require.Less(t, w.Code, 500, "request %d: %s %s: %s", i, req.Method, req.URL, w.Body)
		if w.Code >= 400 {
			require.Regexp(t, reasonPattern, w.Header().Get("X-Soundstage-Reason"), "request %d: %s %s", i, req.Method, req.URL)
			requireErrorShape(t, w, fmt.Sprintf("request %d: %s %s", i, req.Method, req.URL))
		}
	}
	met := []int{200, 201, 400, 401, 404, 405}
	if *mutations >= 5000 { // with fewer requests, these statuses occur only by chance
		met = append(met, 202, 403)
	}
	for _, status := range met {
		require.Positive(t, statuses[status], "status %d must occur: %v", status, statuses)
	}
	t.Logf("%d requests, slowest %v (%.80s), by status: %v", *mutations, slowest, slow, statuses)
}

// requireErrorShape requires {"error"}, with the tiers for a 403, or {"errors","valid"}.
func requireErrorShape(t *testing.T, w *httptest.ResponseRecorder, where string) {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &v), "%s: %s", where, w.Body)
	if v["valid"] == false {
		require.NotEmpty(t, v["errors"], where)
		require.Len(t, v, 2, where)
		return
	}
	sentence, _ := v["error"].(string)
	require.NotEmpty(t, sentence, where)
	if v["required_tier"] == nil {
		require.Len(t, v, 1, "%s: %s", where, w.Body)
	}
}
