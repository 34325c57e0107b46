package conformance_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// slip is one line of testdata/slips.txt: a check, and a mistake of a server that must fail it.
//
//	recording.field.id  GET /v1/recordings/* 200  drop recording.id
//
// The second column selects responses by method, path, query, and status. The third column is one of these mistakes. A * is any
// segment of a URL's path, and every item of a list in a body:
//
//	drop PATH           leaves a member out
//	set PATH JSON       gives a member another value
//	add PATH JSON       adds a member
//	reverse PATH        reverses a list
//	repeat PATH         repeats the first item of a list
//	status N            returns another status
//	header NAME TEXT    sends another header; without TEXT, none
//	body TEXT           sends another body; without TEXT, none
//	ignore NAME         ignores a query parameter
//	as ROLE             treats the caller as if the secret were that of ROLE
type slip struct{ check, of, does string }

// slips returns the lines of testdata/slips.txt.
func slips(t *testing.T) (all []slip) {
	t.Helper()
	b, err := os.ReadFile("testdata/slips.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(b)) {
		s, err := parseSlip(line)
		require.NoError(t, err)
		all = append(all, s)
	}
	return all
}

// columns separates the columns of a line.
var columns = regexp.MustCompile(`\s{2,}`)

// parseSlip parses a line of testdata/slips.txt.
func parseSlip(line string) (slip, error) {
	c := columns.Split(strings.TrimSpace(line), 3)
	if len(c) != 3 {
		return slip{}, fmt.Errorf("%q has %d columns, not 3", line, len(c))
	}
	s := slip{c[0], c[1], c[2]}
	_, err := s.mistake()
	return s, err
}

// mistake returns the mistake that a slip describes.
func (s slip) mistake() (m mistake, err error) {
	m.name, m.statements = s.check+": "+s.does, s.check
	method, rest, _ := strings.Cut(s.of, " ")
	target, status, ok := strings.Cut(rest, " ")
	m.answered, err = strconv.Atoi(status)
	if !ok || err != nil {
		return m, fmt.Errorf("%q is not a method, a path, and a status", s.of)
	}
	path, query, _ := strings.Cut(target, "?")
	m.method, m.path = method, path+"$"
	if m.query, err = url.ParseQuery(query); err != nil {
		return m, err
	}
	verb, rest, _ := strings.Cut(s.does, " ")
	name, value, _ := strings.Cut(rest, " ")
	return m, m.does(verb, name, value)
}

// does adds what the mistake does.
func (m *mistake) does(verb, name, value string) (err error) {
	path := strings.Split(name, ".")
	switch verb {
	case "drop":
		m.edit = wherever(path, func(v map[string]any, name string) { delete(v, name) })
	case "reverse":
		m.edit = wherever(path, func(v map[string]any, name string) { reversed(name)(v) })
	case "set":
		var other any
		err = json.Unmarshal([]byte(value), &other)
		m.edit = wherever(path, func(v map[string]any, name string) { v[name] = other })
	case "add":
		var more any
		err = json.Unmarshal([]byte(value), &more)
		m.edit = at(path, func(v map[string]any, name string) { v[name] = more })
	case "repeat":
		m.edit = wherever(path, func(v map[string]any, name string) {
			if items, ok := v[name].([]any); ok && len(items) > 0 {
				v[name] = slices.Insert(items, 1, items[0])
			}
		})
	case "status":
		m.status[0] = m.answered
		m.status[1], err = strconv.Atoi(name)
	case "header":
		m.header = func(h http.Header) { h[http.CanonicalHeaderKey(name)] = []string{value} }
	case "body":
		m.body = func(string, string) string { return strings.TrimSpace(name + " " + value) }
	case "ignore":
		m.answered = 0 // the response differs
		m.request = query(func(q url.Values) { q.Del(name) })
	case "as":
		m.answered = 0
		m.request = func(r *http.Request) { r.Header.Set("Authorization", "Bearer sk_sandbox_"+name) }
	default:
		err = fmt.Errorf("unknown mistake %q", verb)
	}
	return err
}

// wherever calls do with each member at a path of names, in which * is every item of a list.
func wherever(path []string, do func(v map[string]any, name string)) func(map[string]any) {
	if i := slices.Index(path, "*"); i > 0 {
		return at(path[:i], func(v map[string]any, list string) { every(list, wherever(path[i+1:], do))(v) })
	}
	return at(path, func(v map[string]any, name string) {
		if _, ok := v[name]; ok {
			do(v, name)
		}
	})
}
