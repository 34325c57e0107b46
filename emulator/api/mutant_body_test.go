package api_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// wrongValues replace valid values in requests.
var wrongValues = []any{
	nil, true, false, 0, -1, 1.5, 1e308, -9.3e18, "", " ", "x", "\x00", "é\u0301🎙️", "\u202e", "../../etc/passwd", "' OR 1=1 --", "<script>", "{{7*7}}", "%00",
	"\xff\xfe", "null", "0", "101", "-1", "NaN", strings.Repeat("a", 5000), []any{}, []any{nil}, []any{1, "a", []any{}}, map[string]any{},
	map[string]any{"a": map[string]any{"b": []any{1}}}, json.Number("99999999999999999999999999"), json.Number("1e999999"), json.Number("-0"),
	"http://169.254.169.254/latest", "https://", "file:///etc/passwd", "http://127.1/", "http://[::1]:9/a.mp3",
}

// text returns a wrong string, or an ID of any kind.
func (m *mutant) text() string {
	if m.in(4) {
		return m.pool.pick(m.rnd, oneOf(m, []string{"space", "recording", "prompt", "speaker", "output", "chat", "import", "transcript", "webhook", "render", "upload"}))
	}
	for {
		if s, ok := oneOf(m, wrongValues).(string); ok && s != "" {
			return s
		}
	}
}

// body returns an example body, usually with one wrong field, or bytes that are not JSON.
func (m *mutant) body(o *operation) []byte {
	if len(o.bodies) == 0 {
		if m.in(5) {
			return []byte(m.text())
		}
		return nil
	}
	body := map[string]any{}
	example := oneOf(m, o.bodies)
	for _, name := range slices.Sorted(maps.Keys(example)) {
		body[name] = m.valid(name, example[name])
	}
	if o.path == "/v1/renders" { // a valid render would take a second
		body["end_ms"] = -1
	}
	if m.in(10) {
		body["space_id"] = oneOf(m, []string{m.pool.pick(m.rnd, "space"), m.pool.pick(m.rnd, "recording")})
	}
	for range oneOf(m, []int{0, 1, 1, 1, 2, 3}) {
		m.spoil(body)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	switch m.rnd.IntN(60) {
	case 0:
		return raw[:m.rnd.IntN(len(raw)+1)]
	case 1:
		return append(raw, raw...)
	case 2:
		return bytes.Repeat([]byte("["), 1+m.rnd.IntN(3000))
	case 3:
		raw[m.rnd.IntN(len(raw))] = byte(m.rnd.IntN(256))
	case 4:
		return append([]byte("\xef\xbb\xbf"), raw...)
	case 5:
		return bytes.Replace(raw, []byte("{"), []byte(`{"name":1,"name":2,`), 1)
	case 6:
		return []byte(oneOf(m, []string{"null", "1", `"a"`, "[]", "true", "{", "", " ", "\x00"}))
	case 7:
		return bytes.ReplaceAll(raw, []byte(":"), []byte(strings.Repeat(" ", 5000)+":"))
	}
	return raw
}

// valid returns a valid value for a field: an ID that exists, or an address that needs no name server.
func (m *mutant) valid(name string, example any) any {
	kind, isID := strings.CutSuffix(name, "_id")
	switch {
	case name == "recording_ids":
		return []any{m.pool.pick(m.rnd, "recording")}
	case name == "object_id":
		return m.pool.pick(m.rnd, "upload")
	case isID:
		return m.pool.pick(m.rnd, kind)
	case name == "url":
		return "http://127.0.0.1:9/talk.mp3"
	}
	return example
}

// spoil changes one field: it is removed, replaced, added, or changed inside.
func (m *mutant) spoil(body map[string]any) {
	names := slices.Sorted(maps.Keys(body))
	if len(names) == 0 || m.in(20) {
		body[oneOf(m, []string{"space_id", "title", "unknown", "", "language", "id"})] = oneOf(m, wrongValues)
		return
	}
	name := oneOf(m, names)
	switch v := body[name].(type) {
	case map[string]any:
		if m.in(2) {
			v = maps.Clone(v)
			m.spoil(v)
			body[name] = v
			return
		}
	case []any:
		if len(v) > 0 && m.in(2) {
			v = slices.Clone(v)
			v[m.rnd.IntN(len(v))] = oneOf(m, wrongValues)
			body[name] = append(v, oneOf(m, append(v, oneOf(m, wrongValues))))
			return
		}
	}
	switch m.rnd.IntN(5) {
	case 0:
		delete(body, name)
	case 1:
		body[name] = m.text()
	default:
		body[name] = oneOf(m, wrongValues)
	}
}
