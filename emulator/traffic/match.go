package traffic

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// Match selects exchanges: those that match all of its set fields. The zero value matches every exchange.
type Match struct {
	Op           string            `json:"op,omitempty"`            // operation ID: "createUpload"
	Method       string            `json:"method,omitempty"`        // "POST"
	Path         string            `json:"path,omitempty"`          // "/v1/recordings/{id}": a segment in braces matches any value
	Resource     string            `json:"resource,omitempty"`      // an ID in the path
	Status       Status            `json:"status,omitempty"`        // "404" or a class, "4xx"
	Tier         string            `json:"tier,omitempty"`          // the caller's tier
	Key          string            `json:"key,omitempty"`           // ID of the caller's API key
	Fault        string            `json:"fault,omitempty"`         // ID of the fault that hit it
	Since        int64             `json:"since,omitempty"`         // matches exchanges with a higher number
	Headers      map[string]string `json:"headers,omitempty"`       // request headers, each with one of its values
	BodyContains string            `json:"body_contains,omitempty"` // substring of the logged request body
}

// Status is a status code or a class of them: "404", "4xx". In JSON it may be a number.
type Status string

// UnmarshalJSON accepts a number or a string.
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
	return engine.Errorf(engine.CodeInvalid, "Match", "status must be a number from 100 to 599, 0 for no response, or a class like 4xx (got %.20q).", string(s))
}

func (s Status) matches(status int) bool {
	if class, ok := strings.CutSuffix(string(s), "xx"); ok {
		return class == strconv.Itoa(status/100)
	}
	return string(s) == strconv.Itoa(status)
}

// Validate returns CodeInvalid when no exchange can match. Its message suggests the closest operation.
func (m Match) Validate() error {
	if m.Since < 0 {
		return engine.Errorf(engine.CodeInvalid, "Match", "since must be the number of a request, at least 0 (got %d).", m.Since)
	}
	if err := m.Status.check(); err != nil {
		return err
	}
	return checkOperation(m.Op)
}

// checkOperation returns CodeInvalid for an unknown operation ID.
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
	return engine.Errorf(engine.CodeInvalid, "Match", "Unknown operation %.100q; did you mean %s?", id, didyoumean.Closest(id, ids)).
		WithHint("The operations are " + strings.Join(ids, ", ") + ".")
}

// matches reports whether an entry matches. The caller holds the log's lock.
func (m Match) matches(e *Entry) bool {
	switch {
	case e.Number <= m.Since,
		m.Op != "" && m.Op != e.Op,
		m.Method != "" && !strings.EqualFold(m.Method, e.Method),
		m.Path != "" && !pathMatches(m.Path, e.Path),
		m.Resource != "" && m.Resource != e.Resource && !hasSegment(e.Path, m.Resource),
		m.Status != "" && !m.Status.matches(e.Status),
		m.Tier != "" && m.Tier != e.Tier,
		m.Key != "" && m.Key != e.Key,
		m.Fault != "" && m.Fault != e.Fault,
		m.BodyContains != "" && !bytes.Contains(e.RequestBody.Data, []byte(m.BodyContains)):
		return false
	}
	for name, value := range m.Headers {
		if !slices.Contains(e.redact().RequestHeaders[http.CanonicalHeaderKey(name)], value) {
			return false
		}
	}
	return true
}

// pathMatches reports whether a path matches want. A segment in braces or with a leading colon matches any value.
func pathMatches(want, path string) bool {
	return want == path || strings.ContainsAny(want, "{:") && api.PathMatches(bracesForColons(want), path)
}

// bracesForColons replaces segments with a leading colon by segments in braces.
func bracesForColons(pattern string) string {
	words := strings.Split(pattern, "/")
	for i, w := range words {
		if strings.HasPrefix(w, ":") {
			words[i] = "{" + w[1:] + "}"
		}
	}
	return strings.Join(words, "/")
}

// hasSegment reports whether one of the segments of an escaped path is word.
func hasSegment(path, word string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == word {
			return true
		}
	}
	return false
}
