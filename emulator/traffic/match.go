package traffic

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/nearest"
	"github.com/soundstage-dev/soundstage/engine"
)

// Match says which exchanges are meant: those that fit all of its members. The zero value is all.
type Match struct {
	Op           string            `json:"op,omitempty"`            // id of an operation: "createUpload"
	Method       string            `json:"method,omitempty"`        // "POST"
	Path         string            `json:"path,omitempty"`          // "/v1/recordings/{id}": a word in braces stands for any
	Resource     string            `json:"resource,omitempty"`      // an id in the path
	Status       Status            `json:"status,omitempty"`        // 404, or a class, "4xx"
	Tier         string            `json:"tier,omitempty"`          // of the caller
	Fault        string            `json:"fault,omitempty"`         // id of the fault that hit it
	Since        int64             `json:"since,omitempty"`         // number of the last exchange that is not meant
	Headers      map[string]string `json:"headers,omitempty"`       // of the request, each with one of its values
	BodyContains string            `json:"body_contains,omitempty"` // in what is kept of the request's body
}

// Status is a status or a class of them: "404", "4xx". In JSON it may be a number.
type Status string

// UnmarshalJSON takes a number or a string.
func (s *Status) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	*s = Status(text)
	return s.check()
}

func (s Status) check() error {
	n, err := strconv.Atoi(strings.Replace(string(s), "xx", "00", 1))
	if s == "" || s == "0" || err == nil && len(s) == 3 && n >= 100 && n <= 599 {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "Match", "status must be a number from 100 to 599, 0 for no answer, or a class like 4xx.")
}

func (s Status) fits(status int) bool {
	if class, ok := strings.CutSuffix(string(s), "xx"); ok {
		return class == strconv.Itoa(status/100)
	}
	return string(s) == strconv.Itoa(status)
}

// Validate refuses what no exchange can fit: CodeInvalid, with the nearest operation.
func (m Match) Validate() error {
	if m.Since < 0 {
		return engine.Errorf(engine.CodeInvalid, "Match", "since is the number of a request, at least 0.")
	}
	if err := m.Status.check(); err != nil {
		return err
	}
	return checkOperation(m.Op)
}

// checkOperation refuses the id of an operation that there isn't.
func checkOperation(id string) error {
	if id == "" {
		return nil
	}
	var ids []string
	for _, op := range api.Operations() {
		ids = append(ids, op.ID)
	}
	if slices.Contains(ids, id) {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, "Match", "There is no operation %.100q; the nearest one is %s.", id, nearest.Word(id, ids)).
		WithHint("The operations are " + strings.Join(ids, ", ") + ".")
}

// fits reports whether an entry is what is looked for. The log's lock is held.
func (m Match) fits(e *Entry) bool {
	switch {
	case e.Number <= m.Since,
		m.Op != "" && m.Op != e.Op,
		m.Method != "" && !strings.EqualFold(m.Method, e.Method),
		m.Path != "" && !pathFits(m.Path, e.Path),
		m.Resource != "" && m.Resource != e.Resource && !hasSegment(e.Path, m.Resource),
		m.Status != "" && !m.Status.fits(e.Status),
		m.Tier != "" && m.Tier != e.Tier,
		m.Fault != "" && m.Fault != e.Fault,
		m.BodyContains != "" && !bytes.Contains(e.RequestBody.Data, []byte(m.BodyContains)):
		return false
	}
	for name, value := range m.Headers {
		if !slices.Contains(e.open().RequestHeaders[http.CanonicalHeaderKey(name)], value) {
			return false
		}
	}
	return true
}

// pathFits reports whether a path is the wanted one; a word in braces, or one that begins with a colon, stands for any.
func pathFits(want, path string) bool {
	return want == path || strings.ContainsAny(want, "{:") && api.PathMatches(braced(want), path)
}

// braced turns the words of a pattern that begin with a colon into words in braces.
func braced(pattern string) string {
	words := strings.Split(pattern, "/")
	for i, w := range words {
		if strings.HasPrefix(w, ":") {
			words[i] = "{" + w[1:] + "}"
		}
	}
	return strings.Join(words, "/")
}

// hasSegment reports whether a word of an escaped path is this one.
func hasSegment(path, word string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == word {
			return true
		}
	}
	return false
}
