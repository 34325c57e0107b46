package traffic

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// Fault is a failure to inject: which requests, which action, and how often.
type Fault struct {
	Match FaultMatch `json:"match"`
	Do    Do         `json:"do"`
	// Times is the number of consecutive matching requests that it hits; default 1, or unlimited with a Probability.
	Times int `json:"times,omitempty"`
	// Probability, above 0 and at most 1, hits only some of the requests. It needs a Seed; the same seed hits the same requests.
	Probability float64 `json:"probability,omitempty"`
	Seed        *uint64 `json:"seed,omitempty"`
}

// FaultMatch selects requests: an operation, or a path with or without a method. For a webhook fault it selects an event; no event means
// all events.
type FaultMatch struct {
	Op       string `json:"op,omitempty"`       // operation ID: "createUpload"; "*" for all
	Method   string `json:"method,omitempty"`   // "POST"
	Path     string `json:"path,omitempty"`     // "/v1/recordings/{id}" for all recordings, or the path of one
	Resource string `json:"resource,omitempty"` // an ID in the path
	Event    string `json:"event,omitempty"`    // a webhook event: "transcript.completed"
	Nth      int    `json:"nth,omitempty"`      // first matching request to hit, counted since the fault was added; default 1
}

// Do is the action of a fault. Only LatencyMS can be combined with another action.
type Do struct {
	// Status responds instead of the API, with Headers and Body. Body is any JSON; a JSON string stands for its text. Without a Body, an
	// error status has the error body from the specification. A status from 100 to 199, other than 101, is sent before the API's response.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	// LatencyMS delays the request, in milliseconds on the wall clock, at most 10 minutes.
	LatencyMS int64 `json:"latency_ms,omitempty"`
	// ResetAfterBytes resets the connection after this many bytes of the request's body, or at its end if it is shorter. The request has
	// no effect. Without a body, the connection is reset immediately.
	ResetAfterBytes *int64 `json:"reset_after_bytes,omitempty"`
	// CommitThenDrop executes the request, then closes the connection without a response.
	CommitThenDrop bool `json:"commit_then_drop,omitempty"`
	// Truncate closes the connection after this many bytes of the response's body. The last byte is never sent.
	Truncate *int64 `json:"truncate,omitempty"`
	// DuplicateWebhook delivers an event twice.
	DuplicateWebhook bool `json:"duplicate_webhook,omitempty"`
}

// Bytes returns a pointer to n, for the fields of Do.
func Bytes(n int64) *int64 { return &n }

const maxLatency = 10 * time.Minute

// actions are the JSON fields of Do.
var actions = []string{"status", "headers", "body", "latency_ms", "reset_after_bytes", "commit_then_drop", "truncate", "duplicate_webhook"}

// UnmarshalJSON rejects unknown actions with CodeInvalid and suggests the closest one.
func (d *Do) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return invalid("do must be an object with one of these actions: %s.", strings.Join(actions, ", "))
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(actions, name) {
			return invalid("Unknown action %.100q; did you mean %s?", name, didyoumean.Closest(name, actions)).
				WithHint("The actions are " + strings.Join(actions, ", ") + ".")
		}
	}
	type plain Do
	if err := json.Unmarshal(raw, (*plain)(d)); err != nil {
		return invalid("A value in do has the wrong type.").WithHint(
			"status, latency_ms, reset_after_bytes, and truncate are numbers; commit_then_drop and duplicate_webhook are booleans; " +
				"headers is an object with string values.")
	}
	if bytes.Equal(d.Body, []byte("null")) {
		d.Body = nil
	}
	return nil
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "Fault", format, args...)
}

// Validate returns CodeInvalid for a fault that could never fire, or not as described.
func (f Fault) Validate() error {
	if err := f.Do.validate(); err != nil {
		return err
	}
	switch {
	case f.Match.Nth < 0:
		return invalid("nth must be at least 1, the first matching request (got %d).", f.Match.Nth)
	case f.Times < 0:
		return invalid("times must be at least 1 (got %d).", f.Times)
	case f.Probability < 0 || f.Probability > 1:
		return invalid("probability must be greater than 0 and at most 1 (got %g).", f.Probability)
	case f.Probability > 0 && f.Seed == nil:
		return invalid("probability needs a seed, so that each run hits the same requests.")
	case f.Seed != nil && f.Probability == 0:
		return invalid("seed needs a probability greater than 0.")
	case f.Do.DuplicateWebhook:
		return f.Match.validateEvent()
	}
	return f.Match.validate()
}

// events are the event types of webhooks.
var events = func() (names []string) {
	for _, event := range engine.EventTypes() {
		names = append(names, string(event))
	}
	return names
}()

func (m FaultMatch) validateEvent() error {
	if m.Op != "" || m.Method != "" || m.Path != "" || m.Resource != "" {
		return invalid("duplicate_webhook is for events: match may have event and nth only.")
	}
	if m.Event != "" && !slices.Contains(events, m.Event) {
		return invalid("Unknown event %.100q; did you mean %s?", m.Event, didyoumean.Closest(m.Event, events)).
			WithHint("The events are " + strings.Join(events, ", ") + ".")
	}
	return nil
}

func (m FaultMatch) validate() error {
	switch {
	case m.Event != "":
		return invalid("event is for duplicate_webhook only.")
	case m.Op == "" && m.Path == "":
		return invalid("match needs op or path.").WithHint(`{"op":"*"} matches every operation.`)
	case m.Op != "" && (m.Path != "" || m.Method != ""):
		return invalid("match has either op, or path and method.")
	case m.Op == "*":
		return nil
	case m.Op != "":
		return checkOperation(m.Op)
	}
	return m.validatePath()
}

// validatePath rejects a path that belongs to no endpoint, and a method that the path doesn't have.
func (m FaultMatch) validatePath() error {
	var paths, methods []string
	for _, op := range api.Operations() {
		paths = append(paths, op.Path)
		if pathMatches(op.Path, m.Path) {
			methods = append(methods, op.Method)
		}
	}
	if methods == nil {
		slices.Sort(paths)
		return invalid("%.200q is not the path of an endpoint; did you mean %s?", m.Path, didyoumean.Closest(m.Path, paths)).
			WithHint("The paths are " + strings.Join(slices.Compact(paths), ", ") + ".")
	}
	if method := strings.ToUpper(m.Method); method != "" && method != http.MethodHead && !slices.Contains(methods, method) {
		return invalid("%s has no method %.20q; it has %s.", m.Path, m.Method, strings.Join(methods, ", "))
	}
	return nil
}

func (d Do) validate() error {
	kinds := 0
	for _, is := range []bool{d.Status != 0, d.ResetAfterBytes != nil, d.CommitThenDrop, d.Truncate != nil, d.DuplicateWebhook} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds == 0 && d.LatencyMS == 0 && (d.Body != nil || d.Headers != nil):
		return invalid("headers and body need a status.")
	case kinds == 0 && d.LatencyMS == 0:
		return invalid("do needs an action: one of %s.", strings.Join(actions, ", "))
	case kinds > 1:
		return invalid("do can have only one of status, reset_after_bytes, commit_then_drop, truncate, and duplicate_webhook.")
	case d.LatencyMS < 0 || d.LatencyMS > maxLatency.Milliseconds():
		return invalid("latency_ms must be from 0 to %d (got %d).", maxLatency.Milliseconds(), d.LatencyMS)
	case d.LatencyMS > 0 && d.DuplicateWebhook:
		return invalid("duplicate_webhook can't be combined with latency_ms.")
	case d.ResetAfterBytes != nil && *d.ResetAfterBytes < 0 || d.Truncate != nil && *d.Truncate < 0:
		return invalid("reset_after_bytes and truncate must be numbers of bytes, at least 0.")
	case d.Status == 0 && (d.Body != nil || d.Headers != nil):
		return invalid("headers and body need a status.")
	case d.Status != 0 && (d.Status < 100 || d.Status > 599):
		return invalid("status must be from 100 to 599 (got %d).", d.Status)
	case d.Status == http.StatusSwitchingProtocols:
		return invalid("status 101 is not supported: it would switch protocols.")
	case d.Body != nil && !hasBody(d.Status):
		return invalid("A response with status %d can't have a body.", d.Status)
	case d.Body != nil && !json.Valid(d.Body):
		return invalid("body must be JSON; a JSON string stands for its text.")
	}
	return checkHeaders(d.Headers)
}

func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// checkHeaders rejects invalid header fields (RFC 9110, section 5) and those that net/http sets.
func checkHeaders(headers map[string]string) error {
	for name, value := range headers {
		token := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
		})
		if !token || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return invalid("%.100q is not a valid header name, or its value is invalid.", name)
		}
		switch http.CanonicalHeaderKey(name) {
		case "Content-Length", "Transfer-Encoding":
			return invalid("The header %s can't be set.", name).WithHint("To send less than Content-Length, use truncate.")
		}
	}
	return nil
}

// armed is a fault with its counters.
type armed struct {
	FaultState
	random *rand.Rand // nil without a probability
}

// matches reports whether the fault matches a request.
func (a *armed) matches(op string, req *http.Request) bool {
	m := a.Match
	path := req.URL.EscapedPath()
	switch {
	case a.Do.DuplicateWebhook,
		m.Op == "*" && op == "",
		m.Op != "" && m.Op != "*" && m.Op != op,
		m.Method != "" && !strings.EqualFold(m.Method, req.Method),
		m.Path != "" && !pathMatches(m.Path, path),
		m.Resource != "" && !hasSegment(path, m.Resource):
		return false
	}
	return true
}

// fires counts a matching request and reports whether the fault hits it. taken means that another fault has already hit it.
func (a *armed) fires(taken bool) bool {
	a.Seen++
	hit := a.random == nil || a.random.Float64() < a.Probability
	if taken || !hit || a.Seen < a.Match.Nth || a.exhausted() {
		return false
	}
	a.Fired++
	return true
}

// exhausted reports whether the fault has fired as often as it should.
func (a *armed) exhausted() bool { return a.Times > 0 && a.Fired >= a.Times }
