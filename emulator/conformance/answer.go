package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is the server's response to one request.
type answer struct {
	probe  *probe
	method string
	url    string
	sent   string
	as     role
	status int
	header http.Header
	body   []byte
	value  any // the decoded body; nil if it is not JSON
}

// reportTo returns a copy of the answer whose failures are reported to p.
func (a answer) reportTo(p *probe) answer { a.probe = p; return a }

// want fails the check unless the answer has the given status.
func (a answer) want(status int) answer {
	a.probe.want(a, a.status == status, fmt.Sprintf("status %d", status), fmt.Sprintf("status %d", a.status))
	return a
}

// refused fails the check unless the status is 4xx.
func (a answer) refused() answer {
	a.probe.want(a, a.status >= 400 && a.status < 500, "status 4xx", fmt.Sprintf("status %d", a.status))
	return a
}

// accepted fails the check unless the status is 2xx.
func (a answer) accepted() answer {
	a.probe.want(a, a.status >= 200 && a.status < 300, "status 2xx", fmt.Sprintf("status %d", a.status))
	return a
}

// ok ends the check as not applicable unless the status is 2xx. Another statement requires that status.
func (a answer) ok() answer {
	if a.status < 200 || a.status > 299 {
		a.probe.skip("%s %s returned %d: %s", a.method, a.probe.session.path(a.url), a.status, a.probe.session.shown(a.body))
	}
	return a
}

// at returns the member of the body at a path such as "recordings.0.id"; the path "" is the body itself.
func (a answer) at(path string) (any, bool) { return member(a.value, path) }

// member returns the member of a JSON value at a path.
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

// is fails the check unless the member at a path exists and has the shape s. The check is not applicable when the member's
// parent is missing: another statement requires the parent.
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

// text returns the string at a path. Without one the check is not applicable: another statement requires that member.
func (a answer) text(path string) string {
	v, _ := a.at(path)
	s, ok := v.(string)
	if !ok {
		a.probe.skip("%s %s has no string %q", a.method, a.probe.session.path(a.url), path)
	}
	return s
}

// list returns the array at a path. Without one the check is not applicable.
func (a answer) list(path string) []any {
	v, _ := a.at(path)
	l, ok := v.([]any)
	if !ok {
		a.probe.skip("%s %s has no array %q", a.method, a.probe.session.path(a.url), path)
	}
	return l
}

// number returns the number at a path. Without one the check is not applicable.
func (a answer) number(path string) float64 {
	v, _ := a.at(path)
	n, ok := v.(json.Number)
	f, err := n.Float64()
	if !ok || err != nil {
		a.probe.skip("%s %s has no number %q", a.method, a.probe.session.path(a.url), path)
	}
	return f
}

// errorMessage returns the message of an error: the member "error", or else the whole body.
func (a answer) errorMessage() string {
	if v, _ := a.at("error"); v != nil {
		if s, ok := v.(string); ok {
			return s
		}
	}
	return string(a.body)
}

// decode parses a body as JSON and keeps numbers as json.Number. It returns nil when the body is not JSON.
func decode(body []byte) any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// show formats a value for a report, cut to 300 bytes.
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
