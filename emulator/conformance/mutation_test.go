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

// mistake is one thing that a server does wrong, and the statements that say it is wrong.
type mistake struct {
	name   string
	method string // of the requests it is about
	path   string // they begin with it; one that ends with $ is the whole path, in which * is any name
	saying string // a part of the answers' bodies it is about; "" is any
	near   string // statements to check; "" is all
	fails  []string

	request func(*http.Request)                        // changes the request; may be nil
	status  [2]int                                     // answers with the first become ones with the second; 0 is none
	header  func(http.Header)                          // changes the headers of the answer; may be nil
	edit    func(v map[string]any)                     // changes a JSON body; may be nil
	body    func(contentType, b string) string         // changes any body; may be nil
	event   func(header http.Header, v map[string]any) // changes what webhooks get, but not what was signed; may be nil
}

// about reports whether a mistake is about a request.
func (m mistake) about(r *http.Request) bool {
	if r.Method != m.method {
		return false
	}
	whole, exact := strings.CutSuffix(m.path, "$")
	if !exact {
		return strings.HasPrefix(r.URL.Path, m.path)
	}
	want, got := strings.Split(whole, "/"), strings.Split(r.URL.Path, "/")
	return slices.EqualFunc(want, got, func(a, b string) bool { return a == b || a == "*" })
}

// spoil changes an answer.
func (m mistake) spoil(resp *http.Response) error {
	if !m.about(resp.Request) {
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
	if !bytes.Contains(b, []byte(m.saying)) {
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

// drop removes a member at a path of names from a body.
func drop(path ...string) func(map[string]any) {
	return at(path, func(v map[string]any, name string) { delete(v, name) })
}

// set gives a member at a path of names another value, where it is there.
func set(value any, path ...string) func(map[string]any) {
	return at(path, func(v map[string]any, name string) {
		if _, ok := v[name]; ok {
			v[name] = value
		}
	})
}

// at does something to a member at a path of names, where what holds it is there.
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

// every changes each item of a list.
func every(list string, change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		items, _ := v[list].([]any)
		for _, item := range items {
			change(item.(map[string]any))
		}
	}
}

// reversed turns a list round.
func reversed(list string) func(map[string]any) {
	return func(v map[string]any) {
		if items, ok := v[list].([]any); ok {
			slices.Reverse(items)
		}
	}
}

// when changes a body only where a member is a value.
func when(name string, value any, change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		if v[name] == value {
			change(v)
		}
	}
}

// query changes the query of a request.
func query(change func(url.Values)) func(*http.Request) {
	return func(r *http.Request) {
		q := r.URL.Query()
		change(q)
		r.URL.RawQuery = q.Encode()
	}
}

// impersonate makes the requests of one secret those of another.
func impersonate(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get("Authorization") == from {
			r.Header.Set("Authorization", "Bearer "+to)
		}
	}
}

// replaceBody changes a part of a request's body.
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

// near limits mistakes to the statements near them.
func near(patterns string, all []mistake) []mistake {
	for i := range all {
		all[i].near = patterns + ",errors.*,answers.*"
	}
	return all
}
