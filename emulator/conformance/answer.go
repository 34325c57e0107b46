package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is what the server said to one request.
type answer struct {
	probe  *probe
	method string
	url    string
	sent   string
	as     role
	status int
	header http.Header
	body   []byte
	value  any // the body, if it is JSON
}

// on returns the answer for another check to look at.
func (a answer) on(p *probe) answer { a.probe = p; return a }

// want fails unless the status is the wanted one.
func (a answer) want(status int) answer {
	a.probe.want(a, a.status == status, fmt.Sprintf("status %d", status), fmt.Sprintf("status %d", a.status))
	return a
}

// refused fails unless the status is one of a client's error.
func (a answer) refused() answer {
	a.probe.want(a, a.status >= 400 && a.status < 500, "a refusal: status 4xx", fmt.Sprintf("status %d", a.status))
	return a
}

// accepted fails unless the status is one of success.
func (a answer) accepted() answer {
	a.probe.want(a, a.status >= 200 && a.status < 300, "success: status 2xx", fmt.Sprintf("status %d", a.status))
	return a
}

// ok ends the check as not applicable unless the request was a success: another statement says that it should be.
func (a answer) ok() answer {
	if a.status < 200 || a.status > 299 {
		a.probe.skip("%s %s answered %d: %s", a.method, a.probe.session.path(a.url), a.status, a.probe.session.shown(a.body))
	}
	return a
}

// at returns the member of the body at a path, "recordings.0.id"; "" is the body.
func (a answer) at(path string) (any, bool) { return member(a.value, path) }

// member returns what is at a path below a JSON value.
func member(v any, path string) (any, bool) {
	if path == "" {
		return v, v != nil
	}
	name, rest, _ := strings.Cut(path, ".")
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[name]
		if rest == "" || !ok {
			return inner, ok
		}
		return member(inner, rest)
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(v) {
			return nil, false
		}
		if rest == "" {
			return v[i], true
		}
		return member(v[i], rest)
	}
	return nil, false
}

// is fails unless the member at a path is there and has a shape. It is not applicable when what should hold the member is
// missing: the statement about that says it should be there.
func (a answer) is(path string, s shape) answer {
	if i := strings.LastIndexByte(path, '.'); i > 0 {
		if holder, _ := a.at(path[:i]); holder == nil {
			a.probe.skip("%s %s has no %s", a.method, a.probe.session.path(a.url), path[:i])
		}
	}
	v, ok := a.at(path)
	if !ok {
		a.probe.fail(a, path+": "+s.name, "no such member")
	}
	a.probe.want(a, s.fits(v), path+": "+s.name, v)
	return a
}

// text returns a string of the body; not applicable when there is none: the statement about that member says it should be.
func (a answer) text(path string) string {
	v, _ := a.at(path)
	s, ok := v.(string)
	if !ok {
		a.probe.skip("%s %s has no string %q", a.method, a.probe.session.path(a.url), path)
	}
	return s
}

// list returns an array of the body; not applicable when there is none.
func (a answer) list(path string) []any {
	v, _ := a.at(path)
	l, ok := v.([]any)
	if !ok {
		a.probe.skip("%s %s has no array %q", a.method, a.probe.session.path(a.url), path)
	}
	return l
}

// number returns a number of the body; not applicable when there is none.
func (a answer) number(path string) float64 {
	v, _ := a.at(path)
	n, ok := v.(json.Number)
	f, err := n.Float64()
	if !ok || err != nil {
		a.probe.skip("%s %s has no number %q", a.method, a.probe.session.path(a.url), path)
	}
	return f
}

// sentence is the message of an error: the member error, or the whole body where it has none.
func (a answer) sentence() string {
	if v, _ := a.at("error"); v != nil {
		if s, ok := v.(string); ok {
			return s
		}
	}
	return string(a.body)
}

// decode reads a body as JSON, numbers as they are written; nil when it is none.
func decode(body []byte) any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// show writes a value for a report.
func show(v any) string {
	if s, ok := v.(string); ok {
		v = strconv.Quote(s)
		if !strings.ContainsAny(s, "\"\n") {
			v = s
		}
		return cutText(v.(string))
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return cutText(string(b))
}

func cutText(s string) string {
	if len(s) > 300 {
		return strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
