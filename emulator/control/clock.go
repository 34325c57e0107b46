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

// ClockWorld is what the control API asks of a world about its time.
type ClockWorld interface {
	Clock(context.Context) (Clock, error)
	// SetClock sets the clock anew. CodeInvalid.
	SetClock(context.Context, ClockSetting) error
	// Advance moves the clock. CodeInvalid, CodeNotFound, CodeConflict.
	Advance(context.Context, Advance) (Advanced, error)
	// Idle returns when there is nothing to do, or ctx's error.
	Idle(context.Context) error
}

// Clock is how a world's clock is set.
type Clock struct {
	Mode    string    `json:"mode"` // "real", "scaled", "manual", "auto" or "steps"
	Now     time.Time `json:"now"`
	Rate    float64   `json:"rate"` // seconds that pass in one of the wall's; 0 when it stands still
	Pending []Pending `json:"pending"`
}

// Pending is a job that isn't over.
type Pending struct {
	At       *time.Time `json:"at"`       // when it goes on; null when it is working
	Kind     string     `json:"kind"`     // "transcript.transcribe", "webhook.deliver", …
	Resource string     `json:"resource"` // id
	Status   string     `json:"status"`   // of the resource; of the job where the resource has none
}

// ClockSetting is the body of PUT /_soundstage/clock. What is absent stays.
type ClockSetting struct {
	Mode string     `json:"mode"`
	Now  *time.Time `json:"now"`
	Rate *float64   `json:"rate"` // of mode scaled only
}

// Advance is the body of POST /_soundstage/clock/advance: exactly one of its members.
type Advance struct {
	By        *Span      `json:"by"`
	To        *time.Time `json:"to"`
	Until     *Until     `json:"until"`
	NextEvent bool       `json:"next_event"`
}

// Until is a resource, by its id, and the status that it is to have.
type Until struct {
	Resource string `json:"resource"`
	Status   string `json:"status"`
}

// Advanced is what an advance did.
type Advanced struct {
	Now     time.Time `json:"now"`
	Fired   []Fired   `json:"fired"`             // in order
	Settled bool      `json:"settled"`           // false when something took too long in real time; the clock then stays where that was
	Running []Pending `json:"running,omitempty"` // what did
}

// Fired is something that happened while the clock was advanced.
type Fired struct {
	At       time.Time `json:"at"`
	Kind     string    `json:"kind"`     // of the job
	Resource string    `json:"resource"` // id
	Status   string    `json:"status"`   // of the resource then; "begun" or "done" where it has none
}

// Span is a length of time in JSON: a string such as "1h30m", "250ms" or "30d".
type Span time.Duration

// UnmarshalJSON reads a Span.
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
			n = 100_000 // more than two centuries: too far in any case
		}
		d = time.Duration(n) * 24 * time.Hour
	}
	if err != nil {
		return errSpan
	}
	*s = Span(d)
	return nil
}

// MarshalJSON writes a Span.
func (s Span) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).String()) }

var errSpan = errors.New(`by must be a length of time: "90s", "1h30m", "30d"`)

// clockRoutes are about a world's time.
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
		write(w, http.StatusOK, c)
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
		return engine.Errorf(engine.CodeInvalid, "control", "At least one of mode, now and rate is needed.")
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
		write(w, http.StatusOK, done)
	}
	return err
}

// readTimes is read, with a sentence for members that aren't times.
func readTimes(w http.ResponseWriter, req *http.Request, v any) error {
	err := read(w, req, v)
	var badTime *time.ParseError
	switch {
	case errors.Is(err, errSpan):
		return engine.Errorf(engine.CodeInvalid, "control", "%s.", errSpan)
	case errors.As(err, &badTime):
		return engine.Errorf(engine.CodeInvalid, "control", "%q is not a time.", badTime.Value).WithHint("Write times as RFC 3339 has them: 2026-01-01T00:00:00Z.")
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
		return engine.Errorf(engine.CodeInvalid, "control", "Exactly one of by, to, until and next_event is needed, not %d of them.", n)
	case a.Until != nil && (a.Until.Resource == "" || a.Until.Status == ""):
		return engine.Errorf(engine.CodeInvalid, "control", "until needs the id of a resource and a status.")
	case a.By != nil && *a.By < 0:
		return engine.Errorf(engine.CodeInvalid, "control", "Time does not go backwards.")
	}
	return nil
}

const (
	idleTimeout    = 10 * time.Second
	idleTimeoutMax = 10 * time.Minute
)

// waitIdle is POST /_soundstage/idle.
func waitIdle(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var body struct {
		TimeoutMS *int64 `json:"timeout_ms"`
	}
	if err := read(w, req, &body); err != nil {
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
		write(w, http.StatusGatewayTimeout, idleBody{Error: "There is still something to do after " + timeout.String() + ".", Now: c.Now, Pending: c.Pending})
		return nil
	}
	write(w, http.StatusOK, idleBody{Status: "idle", Now: c.Now, Pending: c.Pending})
	return nil
}

// idleBody is the answer of POST /_soundstage/idle: Status "idle", or an Error.
type idleBody struct {
	Status  string    `json:"status,omitempty"`
	Error   string    `json:"error,omitempty"`
	Now     time.Time `json:"now"`
	Pending []Pending `json:"pending"` // what waits, and where it isn't idle what runs
}
