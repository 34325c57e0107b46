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
	"github.com/soundstage-dev/soundstage/emulator/nearest"
	"github.com/soundstage-dev/soundstage/engine"
)

// Fault is something that is to go wrong: which requests, what, and how often.
type Fault struct {
	Match FaultMatch `json:"match"`
	Do    Do         `json:"do"`
	// Times is how often it goes wrong, at the matching requests that follow one another; default 1, and with a probability no end.
	Times int `json:"times,omitempty"`
	// Probability, over 0 and at most 1, lets only some of the requests be hit: always the same ones of a seed. It needs a Seed.
	Probability float64 `json:"probability,omitempty"`
	Seed        *uint64 `json:"seed,omitempty"`
}

// FaultMatch says which requests a fault is for: an operation, or a path with or without a method. One for webhooks names an event, or
// nothing for all.
type FaultMatch struct {
	Op       string `json:"op,omitempty"`       // id of an operation, "createUpload"; "*" for all
	Method   string `json:"method,omitempty"`   // "POST"
	Path     string `json:"path,omitempty"`     // "/v1/recordings/{id}" for all recordings, or the path of one
	Resource string `json:"resource,omitempty"` // an id in the path
	Event    string `json:"event,omitempty"`    // of a webhook: "transcript.completed"
	Nth      int    `json:"nth,omitempty"`      // the first request that is hit, counted from when the fault was added; default 1
}

// Do says what goes wrong. All but a latency exclude one another.
type Do struct {
	// Status answers instead of the API, with Headers and with Body: JSON, or the text of a JSON string. Without a Body it is an error
	// as the specification has it. A status from 100 to 199, other than 101, is sent
	// before the API's own answer.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	// LatencyMS is how long the request waits before anything else, in milliseconds of the machine's clock, at most 10 minutes.
	LatencyMS int64 `json:"latency_ms,omitempty"`
	// ResetAfterBytes resets the connection when so many bytes of the request's body have been read, or all of a shorter one; nothing of
	// the request is done. A request without a body is reset at once.
	ResetAfterBytes *int64 `json:"reset_after_bytes,omitempty"`
	// CommitThenDrop does what the request asks for and closes the connection without an answer.
	CommitThenDrop bool `json:"commit_then_drop,omitempty"`
	// Truncate closes the connection after so many bytes of the answer's body, of which the last is never sent.
	Truncate *int64 `json:"truncate,omitempty"`
	// DuplicateWebhook delivers an event twice.
	DuplicateWebhook bool `json:"duplicate_webhook,omitempty"`
}

// Bytes is a number of bytes for Do.
func Bytes(n int64) *int64 { return &n }

const maxLatency = 10 * time.Minute

// actions are the members of Do.
var actions = []string{"status", "headers", "body", "latency_ms", "reset_after_bytes", "commit_then_drop", "truncate", "duplicate_webhook"}

// UnmarshalJSON is strict: CodeInvalid names the actions there are and the nearest one.
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
			return invalid("There is no action %.100q; the nearest one is %s.", name, nearest.Word(name, actions)).
				WithHint("The actions are " + strings.Join(actions, ", ") + ".")
		}
	}
	type plain Do
	if err := json.Unmarshal(raw, (*plain)(d)); err != nil {
		return invalid("A value in do is of the wrong type.").WithHint(
			"status, latency_ms, reset_after_bytes and truncate are numbers, commit_then_drop and duplicate_webhook true or false, " +
				"headers an object of strings.")
	}
	if bytes.Equal(d.Body, []byte("null")) {
		d.Body = nil
	}
	return nil
}

func invalid(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "Fault", format, args...)
}

// Validate refuses a fault that could never happen, or not as it says: CodeInvalid.
func (f Fault) Validate() error {
	if err := f.Do.validate(); err != nil {
		return err
	}
	switch {
	case f.Match.Nth < 0:
		return invalid("nth must be at least 1: the first matching request is 1.")
	case f.Times < 0:
		return invalid("times must be at least 1.")
	case f.Probability < 0 || f.Probability > 1:
		return invalid("probability must be over 0 and at most 1.")
	case f.Probability > 0 && f.Seed == nil:
		return invalid("probability needs a seed, so that every run hits the same requests.")
	case f.Seed != nil && f.Probability == 0:
		return invalid("seed needs a probability over 0.")
	case f.Do.DuplicateWebhook:
		return f.Match.validateEvent()
	}
	return f.Match.validate()
}

// events are those that a webhook may be about.
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
		return invalid("There is no event %.100q; the nearest one is %s.", m.Event, nearest.Word(m.Event, events)).
			WithHint("The events are " + strings.Join(events, ", ") + ".")
	}
	return nil
}

func (m FaultMatch) validate() error {
	switch {
	case m.Event != "":
		return invalid("event is for duplicate_webhook only.")
	case m.Op == "" && m.Path == "":
		return invalid("match needs op or path.").WithHint(`{"op":"*"} is every operation.`)
	case m.Op != "" && (m.Path != "" || m.Method != ""):
		return invalid("match has either op, or path and method.")
	case m.Op == "*":
		return nil
	case m.Op != "":
		return checkOperation(m.Op)
	}
	return m.validatePath()
}

// validatePath refuses a path that is no endpoint's, and a method that it doesn't have.
func (m FaultMatch) validatePath() error {
	var paths, methods []string
	for _, op := range api.Operations() {
		paths = append(paths, op.Path)
		if pathFits(op.Path, m.Path) {
			methods = append(methods, op.Method)
		}
	}
	if methods == nil {
		slices.Sort(paths)
		return invalid("%.200q is not the path of an endpoint; the nearest one is %s.", m.Path, nearest.Word(m.Path, paths)).
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
		return invalid("status, reset_after_bytes, commit_then_drop, truncate and duplicate_webhook exclude one another.")
	case d.LatencyMS < 0 || d.LatencyMS > maxLatency.Milliseconds():
		return invalid("latency_ms must be from 0 to %d.", maxLatency.Milliseconds())
	case d.LatencyMS > 0 && d.DuplicateWebhook:
		return invalid("duplicate_webhook has no latency_ms.")
	case d.ResetAfterBytes != nil && *d.ResetAfterBytes < 0 || d.Truncate != nil && *d.Truncate < 0:
		return invalid("reset_after_bytes and truncate are numbers of bytes, at least 0.")
	case d.Status == 0 && (d.Body != nil || d.Headers != nil):
		return invalid("headers and body need a status.")
	case d.Status != 0 && (d.Status < 100 || d.Status > 599):
		return invalid("status must be from 100 to 599.")
	case d.Status == http.StatusSwitchingProtocols:
		return invalid("status 101 would change the protocol, which nobody speaks then.")
	case d.Body != nil && !hasBody(d.Status):
		return invalid("An answer with status %d has no body.", d.Status)
	case d.Body != nil && !json.Valid(d.Body):
		return invalid("body must be JSON; a JSON string stands for its text.")
	}
	return checkHeaders(d.Headers)
}

func hasBody(status int) bool {
	return status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified
}

// checkHeaders refuses what is no header (RFC 9110, section 5), and those that net/http sees to.
func checkHeaders(headers map[string]string) error {
	for name, value := range headers {
		token := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
			return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
		})
		if !token || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return invalid("%.100q is not a header.", name)
		}
		switch http.CanonicalHeaderKey(name) {
		case "Content-Length", "Transfer-Encoding":
			return invalid("The header %s can't be chosen.", name).WithHint("truncate sends less than Content-Length says.")
		}
	}
	return nil
}

// armed is a fault with what it has done.
type armed struct {
	FaultState
	random *rand.Rand // nil without a probability
}

// fits reports whether a request is one that the fault is for.
func (a *armed) fits(op string, req *http.Request) bool {
	m := a.Match
	path := req.URL.EscapedPath()
	switch {
	case a.Do.DuplicateWebhook,
		m.Op == "*" && op == "",
		m.Op != "" && m.Op != "*" && m.Op != op,
		m.Method != "" && !strings.EqualFold(m.Method, req.Method),
		m.Path != "" && !pathFits(m.Path, path),
		m.Resource != "" && !hasSegment(path, m.Resource):
		return false
	}
	return true
}

// fires counts a matching request and reports whether it is hit, unless another fault has it already.
func (a *armed) fires(taken bool) bool {
	a.Seen++
	hit := a.random == nil || a.random.Float64() < a.Probability
	if taken || !hit || a.Seen < a.Match.Nth || a.over() {
		return false
	}
	a.Fired++
	return true
}

// over reports whether the fault has happened as often as it was to.
func (a *armed) over() bool { return a.Times > 0 && a.Fired >= a.Times }
