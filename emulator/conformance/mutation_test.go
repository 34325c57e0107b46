package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// mistake is a mutation of a server's responses and the statements that must fail because of it.
type mistake struct {
	name         string
	method       string     // method of the requests to which it applies
	path         string     // prefix of their path; if it ends with $, the whole path, in which * is any segment
	query        url.Values // parameters that the request must have
	answered     int        // status of the responses to which it applies; 0 is any
	bodyContains string     // text that the response body must contain; "" is any body
	statements   string     // patterns of the statements to check; "" is all
	fails        []string

	request func(*http.Request)                        // changes the request; may be nil
	status  [2]int                                     // replaces the first response status by the second, unless 0
	header  func(http.Header)                          // changes the response headers; may be nil
	edit    func(v map[string]any)                     // changes a JSON response body; may be nil
	body    func(contentType, b string) string         // changes any response body; may be nil
	event   func(header http.Header, v map[string]any) // changes webhook events, but not the signed bytes; may be nil
}

// appliesTo reports whether the mistake applies to a request.
func (m mistake) appliesTo(r *http.Request) bool {
	if r.Method != m.method {
		return false
	}
	for name := range m.query {
		if r.URL.Query().Get(name) != m.query.Get(name) {
			return false
		}
	}
	whole, exact := strings.CutSuffix(m.path, "$")
	if !exact {
		return strings.HasPrefix(r.URL.Path, m.path)
	}
	want, got := strings.Split(whole, "/"), strings.Split(r.URL.Path, "/")
	return slices.EqualFunc(want, got, func(a, b string) bool { return a == b || a == "*" })
}

// change changes a response if the mistake applies to it.
func (m mistake) change(resp *http.Response) error {
	if !m.appliesTo(resp.Request) || m.answered != 0 && resp.StatusCode != m.answered {
		return nil
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if err := resp.Body.Close(); err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(b))
	if !bytes.Contains(b, []byte(m.bodyContains)) {
		return nil
	}
	if m.status[0] != 0 && resp.StatusCode == m.status[0] {
		resp.StatusCode = m.status[1]
	}
	if m.header != nil {
		m.header(resp.Header)
	}
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if m.edit != nil && d.Decode(&v) == nil && v != nil {
		m.edit(v)
		if b, err = json.Marshal(v); err != nil {
			return err
		}
	}
	if m.body != nil {
		b = []byte(m.body(resp.Header.Get("Content-Type"), string(b)))
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	resp.Header.Set("Content-Length", strconv.Itoa(len(b)))
	return nil
}

// drop removes the member at a path of names.
func drop(path ...string) func(map[string]any) {
	return at(path, func(v map[string]any, name string) { delete(v, name) })
}

// set replaces the value of the member at a path of names, if it exists.
func set(value any, path ...string) func(map[string]any) {
	return at(path, func(v map[string]any, name string) {
		if _, ok := v[name]; ok {
			v[name] = value
		}
	})
}

// at calls do with the member at a path of names, if its parent exists.
func at(path []string, do func(v map[string]any, name string)) func(map[string]any) {
	return func(v map[string]any) {
		for _, name := range path[:len(path)-1] {
			inner, ok := v[name].(map[string]any)
			if !ok {
				return
			}
			v = inner
		}
		do(v, path[len(path)-1])
	}
}

// every changes every item of a list.
func every(list string, change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		items, _ := v[list].([]any)
		for _, item := range items {
			change(item.(map[string]any))
		}
	}
}

// reversed reverses a list.
func reversed(list string) func(map[string]any) {
	return func(v map[string]any) {
		if items, ok := v[list].([]any); ok {
			slices.Reverse(items)
		}
	}
}

// when changes a body only if a member has the given value.
func when(name string, value any, change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		if v[name] == value {
			change(v)
		}
	}
}

// query changes a request's query.
func query(change func(url.Values)) func(*http.Request) {
	return func(r *http.Request) {
		q := r.URL.Query()
		change(q)
		r.URL.RawQuery = q.Encode()
	}
}

// impersonate replaces one secret by another.
func impersonate(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get("Authorization") == from {
			r.Header.Set("Authorization", "Bearer "+to)
		}
	}
}

// replaceBody replaces text in a request's body.
func replaceBody(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		b = bytes.ReplaceAll(b, []byte(from), []byte(to))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(b)), int64(len(b))
	}
}

// checking limits mistakes to checking related statements.
func checking(patterns string, all []mistake) []mistake {
	for i := range all {
		all[i].statements = patterns + ",errors.*,answers.*"
	}
	return all
}
