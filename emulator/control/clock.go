package control

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// ClockWorld is the part of World for its clock.
type ClockWorld interface {
	Clock(context.Context) (Clock, error)
	// SetClock changes the clock's mode, time, or rate. CodeInvalid.
	SetClock(context.Context, ClockSetting) error
	// Advance moves the clock. CodeInvalid, CodeNotFound, CodeConflict.
	Advance(context.Context, Advance) (Advanced, error)
	// Idle waits until no job is runnable. It returns ctx's error if ctx ends first.
	Idle(context.Context) error
}

// Clock is the state of a world's clock.
type Clock struct {
	Mode    string    `json:"mode"` // "real", "scaled", "manual", "auto" or "steps"
	Now     time.Time `json:"now"`
	Rate    float64   `json:"rate"` // seconds per second of the wall clock; 0 when frozen
	Pending []Pending `json:"pending"`
}

// Pending is an unfinished job.
type Pending struct {
	At       *time.Time `json:"at"`       // when it resumes; null while it is running
	Kind     string     `json:"kind"`     // "transcript.transcribe", "webhook.deliver", …
	Resource string     `json:"resource"` // resource ID
	Status   string     `json:"status"`   // the resource's status, or the job's if the resource has none
}

// ClockSetting is the body of PUT /_soundstage/clock. Absent fields stay unchanged.
type ClockSetting struct {
	Mode string     `json:"mode"`
	Now  *time.Time `json:"now"`
	Rate *float64   `json:"rate"` // mode scaled only
}

// Advance is the body of POST /_soundstage/clock/advance. Exactly one field is set.
type Advance struct {
	By        *Span      `json:"by"`
	To        *time.Time `json:"to"`
	Until     *Until     `json:"until"`
	NextEvent bool       `json:"next_event"`
}

// Until is a resource ID and the status to wait for.
type Until struct {
	Resource string `json:"resource"`
	Status   string `json:"status"`
}

// Advanced is the result of an advance.
type Advanced struct {
	Now     time.Time `json:"now"`
	Fired   []Fired   `json:"fired"`             // in order
	Settled bool      `json:"settled"`           // false when a job took too long in wall-clock time; the clock then stops at that job
	Running []Pending `json:"running,omitempty"` // the jobs that took too long
}

// Fired is a status change during an advance.
type Fired struct {
	At       time.Time `json:"at"`
	Kind     string    `json:"kind"`     // job kind
	Resource string    `json:"resource"` // resource ID
	Status   string    `json:"status"`   // the resource's new status; "begun" or "done" if it has none
}

// Span is a duration in JSON: a string such as "1h30m", "250ms", or "30d".
type Span time.Duration

// UnmarshalJSON accepts Go durations and whole days ("30d").
func (s *Span) UnmarshalJSON(b []byte) error {
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return errSpan
	}
	d, err := time.ParseDuration(text)
	if days, ok := strings.CutSuffix(text, "d"); ok {
		var n int64
		n, err = strconv.ParseInt(days, 10, 32)
		if n > 100_000 || n < -100_000 {
			n = 100_000 // over 200 years: always out of range
		}
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil {
		return errSpan
	}
	*s = Span(d)
	return nil
}

// MarshalJSON writes a Go duration.
func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).String()) }

var errSpan = errors.New(`by must be a duration such as "90s", "1h30m", or "30d"`)

// clockRoutes are the endpoints for a world's clock.
var clockRoutes = routes{
	"GET /_soundstage/clock": func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		return answerClock(w, req, world)
	},
	"PUT /_soundstage/clock":          setClock,
	"POST /_soundstage/clock/advance": advanceClock,
	"POST /_soundstage/idle":          waitIdle,
}

func answerClock(w http.ResponseWriter, req *http.Request, world World) error {
	c, err := world.Clock(req.Context())
	if err == nil {
		writeJSON(w, http.StatusOK, c)
	}
	return err
}

func setClock(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var set ClockSetting
	if err := readTimes(w, req, &set); err != nil {
		return err
	}
	if set == (ClockSetting{}) {
		return engine.Errorf(engine.CodeInvalid, "control", "Set at least one of mode, now, and rate.")
	}
	if err := world.SetClock(req.Context(), set); err != nil {
		return err
	}
	return answerClock(w, req, world)
}

func advanceClock(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var a Advance
	if err := readTimes(w, req, &a); err != nil {
		return err
	}
	if err := a.check(); err != nil {
		return err
	}
	done, err := world.Advance(req.Context(), a)
	if err == nil {
		writeJSON(w, http.StatusOK, done)
	}
	return err
}

// readTimes is read with clear errors for malformed times and durations.
func readTimes(w http.ResponseWriter, req *http.Request, v any) error {
	err := readBody(w, req, v)
	var badTime *time.ParseError
	switch {
	case errors.Is(err, errSpan):
		return engine.Errorf(engine.CodeInvalid, "control", "%s.", errSpan)
	case errors.As(err, &badTime):
		return engine.Errorf(engine.CodeInvalid, "control", "%q is not a valid time.", badTime.Value).WithHint("Use RFC 3339, such as 2026-01-01T00:00:00Z.")
	}
	return err
}

func (a Advance) check() error {
	n := 0
	for _, has := range []bool{a.By != nil, a.To != nil, a.Until != nil, a.NextEvent} {
		if has {
			n++
		}
	}
	switch {
	case n != 1:
		return engine.Errorf(engine.CodeInvalid, "control", "Set exactly one of by, to, until, and next_event (got %d of them).", n)
	case a.Until != nil && (a.Until.Resource == "" || a.Until.Status == ""):
		return engine.Errorf(engine.CodeInvalid, "control", "until needs a resource (an ID) and a status.")
	case a.By != nil && *a.By < 0:
		return engine.Errorf(engine.CodeInvalid, "control", "The clock can't move backwards: by must be at least 0s.")
	}
	return nil
}

const (
	idleTimeout    = 10 * time.Second
	idleTimeoutMax = 10 * time.Minute
)

// waitIdle handles POST /_soundstage/idle.
func waitIdle(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var body struct {
		TimeoutMS *int64 `json:"timeout_ms"`
	}
	if err := readBody(w, req, &body); err != nil {
		return err
	}
	timeout := idleTimeout
	if body.TimeoutMS != nil {
		if *body.TimeoutMS < 1 || *body.TimeoutMS > idleTimeoutMax.Milliseconds() {
			return engine.Errorf(engine.CodeInvalid, "control", "timeout_ms must be a number from 1 to %d.", idleTimeoutMax.Milliseconds())
		}
		timeout = time.Duration(*body.TimeoutMS) * time.Millisecond
	}
	limited, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	idleErr := world.Idle(limited)
	if idleErr != nil && limited.Err() == nil {
		return idleErr
	}
	c, err := world.Clock(req.Context())
	if err != nil {
		return err
	}
	if idleErr != nil {
		writeJSON(w, http.StatusGatewayTimeout, idleBody{Error: "The world is still busy after " + timeout.String() + ".", Now: c.Now, Pending: c.Pending})
		return nil
	}
	writeJSON(w, http.StatusOK, idleBody{Status: "idle", Now: c.Now, Pending: c.Pending})
	return nil
}

// idleBody is the response of POST /_soundstage/idle: Status "idle", or an Error.
type idleBody struct {
	Status  string    `json:"status,omitempty"`
	Error   string    `json:"error,omitempty"`
	Now     time.Time `json:"now"`
	Pending []Pending `json:"pending"` // waiting jobs and, unless idle, running ones
}
