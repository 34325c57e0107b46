package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/api/contract"
)

// operation is an operation of the contract with the values that it allows.
type operation struct {
	method, path string
	query        map[string][]any // allowed values of each parameter, as far as the contract names them
	bodies       []map[string]any // examples; none without a body
	success      int
	refusals     []int
}

func (o *operation) documents(status int) bool {
	return status == o.success || slices.Contains(o.refusals, status)
}

// contractOperations returns every operation under /v1.
func contractOperations(t *testing.T) (all []*operation) {
	t.Helper()
	c, err := contract.Parse(api.Spec)
	require.NoError(t, err)
	paths := c.Doc.Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if !strings.HasPrefix(path, "/v1/") {
			continue
		}
		ops := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(ops)) {
			all = append(all, operationOf(t, method, path, ops[method]))
		}
	}
	require.Greater(t, len(all), 35)
	return all
}

func operationOf(t *testing.T, method, path string, op *openapi3.Operation) *operation {
	t.Helper()
	o := &operation{method: method, path: path, query: map[string][]any{}}
	for _, p := range op.Parameters {
		if p.Value.In == "query" {
			o.query[p.Value.Name] = append(slices.Clone(p.Value.Schema.Value.Enum), p.Value.Example, p.Value.Schema.Value.Default, 1, true)
		}
	}
	for code := range op.Responses.Map() {
		status, err := strconv.Atoi(code)
		require.NoError(t, err)
		if status < 300 {
			o.success = status
		} else {
			o.refusals = append(o.refusals, status)
		}
	}
	slices.Sort(o.refusals)
	if op.RequestBody == nil {
		return o
	}
	media := op.RequestBody.Value.Content["application/json"]
	require.NotNil(t, media, path)
	examples := []any{media.Example}
	for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
		examples = append(examples, media.Examples[name].Value.Value)
	}
	for _, e := range examples {
		raw, err := json.Marshal(e)
		require.NoError(t, err)
		var body map[string]any
		require.NoError(t, json.Unmarshal(raw, &body))
		if body != nil {
			o.bodies = append(o.bodies, body)
		}
	}
	require.NotEmpty(t, o.bodies, "%s %s has an example", method, path)
	return o
}

// idPool has IDs of resources by kind. It learns those that requests create.
type idPool struct {
	mu  sync.Mutex
	ids map[string][]string
}

// poolSize is how many IDs of a kind are known at once.
const poolSize = 20

func (p *idPool) add(kind, id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if all := p.ids[kind]; len(all) < poolSize {
		p.ids[kind] = append(all, id)
	} else {
		p.ids[kind] = append(all[1:], id)
	}
}

func (p *idPool) pick(rnd *rand.Rand, kind string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if all := p.ids[kind]; len(all) > 0 {
		return all[rnd.IntN(len(all))]
	}
	return "none"
}

// learn adds the IDs in a response to a POST: {"webhook": {"id": …}} and {"import_id": …}.
func (p *idPool) learn(m mutation, body []byte) {
	var v map[string]any
	if m.req.Method != http.MethodPost || json.Unmarshal(body, &v) != nil {
		return
	}
	if d, ok := v["delivery"].(map[string]any); ok && strings.HasSuffix(m.req.URL.Path, "/test") {
		p.add("replay", strings.TrimSuffix(m.req.URL.Path, "/test")+"/deliveries/"+d["id"].(string)+"/replay")
	}
	for name, value := range v {
		inner, _ := value.(map[string]any)
		id, _ := inner["id"].(string)
		kind, plain := strings.CutSuffix(name, "_id")
		if s, ok := value.(string); ok && plain {
			id = s
		}
		if slices.Contains([]string{"speaker", "prompt", "import", "output", "chat", "webhook", "delivery"}, kind) && id != "" {
			p.add(kind, id)
		}
	}
}

// mutant generates almost valid requests.
type mutant struct {
	rnd  *rand.Rand
	pool *idPool
	ops  []*operation
}

func newMutant(seed uint64, pool *idPool, ops []*operation) *mutant {
	return &mutant{rand.New(rand.NewPCG(seed, 0)), pool, ops}
}

// mutation is a request. op is nil if its path or method was mutated.
type mutation struct {
	req  *http.Request
	op   *operation
	body []byte
}

// in reports true in one of n cases.
func (m *mutant) in(n int) bool { return m.rnd.IntN(n) == 0 }

// oneOf returns one of the values.
func oneOf[T any](m *mutant, values []T) T { return values[m.rnd.IntN(len(values))] }

// next returns a request that is usually invalid in one respect.
func (m *mutant) next() mutation {
	o := oneOf(m, m.ops)
	out := mutation{op: o, body: m.body(o)}
	method, path := o.method, m.path(o)
	if m.in(30) {
		method, out.op = oneOf(m, []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD", "BREW"}), nil
	}
	if m.in(30) {
		path, out.op = m.wrongPath(path), nil
	}
	out.req = httptest.NewRequest(method, "http://sandbox/", bytes.NewReader(out.body))
	if method == http.MethodHead {
		out.req = httptest.NewRequest(http.MethodGet, "http://sandbox/", bytes.NewReader(out.body))
	}
	u, err := url.ParseRequestURI(path + m.query(o))
	if err != nil {
		return m.next() // net/http refuses it; see TestMutatedFraming
	}
	out.req.URL, out.req.RequestURI = u, u.RequestURI()
	m.setHeader(out.req)
	return out
}

// path fills the path of an operation. IDs are usually of the right kind.
func (m *mutant) path(o *operation) string {
	if strings.HasSuffix(o.path, "/replay") && m.in(2) {
		return m.pool.pick(m.rnd, "replay")
	}
	parts := strings.Split(o.path, "/")
	for i, part := range parts {
		if !strings.HasPrefix(part, "{") {
			continue
		}
		kind := strings.TrimSuffix(parts[i-1], "s")
		if kind == "deliverie" {
			kind = "delivery"
		}
		parts[i] = m.pool.pick(m.rnd, kind)
		if m.in(4) {
			parts[i] = url.PathEscape(m.text())
		}
		if parts[i] == "." || parts[i] == ".." {
			parts[i] = "none" // it would be another path
		}
	}
	return strings.Join(parts, "/")
}

func (m *mutant) wrongPath(path string) string {
	return oneOf(m, []string{
		path + "/", path + "//", "/" + path, path + "/x", strings.ToUpper(path), strings.Replace(path, "/v1", "/v2", 1), path + "%00", path + "%2f..",
		path + ";a=b", strings.ReplaceAll(path, "/", "%2F"), "/v1", "/v1/", path + "/../..", path + strings.Repeat("/a", 2000),
	})
}

// query returns a query with some parameters, allowed and not.
func (m *mutant) query(o *operation) string {
	q := url.Values{}
	for _, name := range slices.Sorted(maps.Keys(o.query)) {
		if !m.in(3) {
			continue
		}
		q.Set(name, m.text())
		if allowed := oneOf(m, o.query[name]); m.in(2) && allowed != nil {
			raw, _ := json.Marshal(allowed)
			q.Set(name, strings.Trim(string(raw), `"`))
		}
		if strings.HasSuffix(name, "space_id") && m.in(2) {
			q.Set(name, m.pool.pick(m.rnd, "space"))
		}
		if m.in(20) {
			q.Add(name, "twice")
		}
	}
	text := "?" + q.Encode()
	if m.in(40) {
		text += "&%zz&a=%ff;b"
	}
	return strings.TrimSuffix(text, "?")
}

// setHeader sets the headers, which are rarely wrong.
func (m *mutant) setHeader(req *http.Request) {
	secret := "sk_sandbox_platform"
	if m.in(12) {
		secret = oneOf(m, []string{"sk_sandbox_core", "sk_sandbox_automation", "sk_sandbox_other", "sk_sandbox_none"})
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	if m.in(30) {
		req.Header.Set("Authorization", oneOf(m, []string{"", "Bearer", "Bearer x", "Basic eA==", "bearer " + secret, "Bearer \x01", strings.Repeat("B", 9000)}))
	}
	req.Header.Set("Content-Type", "application/json")
	if m.in(30) {
		req.Header.Set("Content-Type", oneOf(m, []string{"", "text/plain", "application/json; charset=utf-16", "multipart/form-data", "/", "\x00"}))
	}
	if m.in(10) {
		name := oneOf(m, []string{"Accept", "Accept-Encoding", "Content-Encoding", "Range", "If-None-Match", "If-Modified-Since", "X-Forwarded-For", "X-Request-Id", "Idempotency-Key", "Cookie", "Origin", "X-HTTP-Method-Override"})
		req.Header.Set(name, m.text())
	}
}
