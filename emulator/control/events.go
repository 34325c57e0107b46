package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/live"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
)

// liveWorld is the part of World for its stream.
type liveWorld interface {
	Live() *live.Source
	Time() ClockTime
	Totals(context.Context) (Totals, error)
}

// ClockTime is what a world's clock shows.
type ClockTime struct {
	Mode string    `json:"mode"`
	Now  time.Time `json:"now"`
	Rate float64   `json:"rate"` // seconds per second of the wall clock; 0 when frozen
}

// Totals are numbers of a world's records.
type Totals struct {
	Recordings  int `json:"recordings"`
	Uploads     int `json:"uploads"`
	Transcripts int `json:"transcripts"`
	Jobs        int `json:"jobs"`     // unfinished ones
	Requests    int `json:"requests"` // in the log
	Messages    int `json:"messages"` // in the outbox
}

// WorldChange is a message of every stream.
type WorldChange struct {
	Change string `json:"change"` // WorldCreated, …
	World  string `json:"world"`
}

// The values of WorldChange.Change.
const (
	WorldCreated  = "created"
	WorldReset    = "reset"
	WorldDeleted  = "deleted"
	WorldRestored = "restored"
)

// eventRoutes are the endpoints for a world's stream.
var eventRoutes = routes{"GET /_soundstage/events": streamEvents}

// heartbeat is how often a stream without messages shows that it is alive. It is a variable for tests.
var heartbeat = 15 * time.Second

// streamEvents handles GET /_soundstage/events?types=&after=.
func streamEvents(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	types, after, err := streamStart(req)
	if err != nil {
		return err
	}
	ctx, cancel := contextUntilShutdown(h, req)
	defer cancel()
	r := world.Live().Feed().Open(after, types)
	defer r.Close()
	hello := hello{World: world.Name(), Cursor: r.Begin(), Clock: world.Time()}
	if hello.Counts, err = world.Totals(ctx); err != nil { // after Open, so that no change is in neither
		return err
	}
	s := newEventWriter(w)
	if req.Method == http.MethodHead {
		return nil
	}
	s.add(r.Begin(), "hello", hello)
	s.follow(ctx, r)
	return nil // the response has already started
}

// streamStart returns the types of a stream, nil for all, and the cursor where it begins, nil for now.
func streamStart(req *http.Request) (types []live.Type, after *live.Cursor, err error) {
	q, err := parameters(req, "types", "after")
	if err != nil {
		return nil, nil, err
	}
	for _, name := range listOf(q.Get("types")) {
		if !slices.Contains(live.Types(), live.Type(name)) {
			return nil, nil, engine.Errorf(engine.CodeInvalid, "events", "There is no type %.40q of messages.", name).
				WithHint("The types are " + strings.Join(input.Strings(live.Types()), ", ") + ".")
		}
		types = append(types, live.Type(name))
	}
	text := req.Header.Get("Last-Event-ID")
	if text == "" {
		text = q.Get("after")
	}
	if text == "" {
		return types, nil, nil
	}
	c, err := live.ParseCursor(text)
	return types, &c, err
}

// listOf returns the values of a parameter that separates them by commas. An empty parameter has none.
func listOf(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

// hello is the first message of a stream.
type hello struct {
	World  string      `json:"world"`
	Cursor live.Cursor `json:"cursor"`
	Clock  ClockTime   `json:"clock"`
	Counts Totals      `json:"counts"`
}

// eventWriter is a response of Server-Sent Events (HTML standard, section 9.2). Its buffer is written by send.
type eventWriter struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	buf bytes.Buffer
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // proxies must not wait for more
	s := &eventWriter{w: w, rc: http.NewResponseController(w)}
	w.WriteHeader(http.StatusOK)
	return s
}

// follow sends what a reader reads, until ctx is done, the client disconnects, or there is no more.
func (s *eventWriter) follow(ctx context.Context, r *live.Reader) {
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	for {
		b := r.Next()
		if b.Lost != nil {
			s.add(b.Lost.To, "lost", b.Lost)
		}
		for _, m := range b.Messages {
			s.addRaw(m.Cursor, string(m.Type), m.Data)
		}
		if s.send() != nil || b.Ended {
			return
		}
		if b.Changed == nil {
			continue
		}
		select {
		case <-b.Changed:
		case <-alive.C:
			// The id moves the client's cursor past messages of types that it doesn't want.
			fmt.Fprintf(&s.buf, ": alive\nid: %s\n\n", r.At())
		case <-ctx.Done():
			return
		}
	}
}

func (s *eventWriter) add(id live.Cursor, event string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a struct of this package always encodes
	}
	s.addRaw(id, event, data)
}

// addRaw adds a message whose data is JSON on one line.
func (s *eventWriter) addRaw(id live.Cursor, event string, data []byte) {
	fmt.Fprintf(&s.buf, "id: %s\nevent: %s\ndata: %s\n\n", id, event, data)
}

// send writes the buffer. It returns an error when the client has disconnected or reads too slowly.
func (s *eventWriter) send() error {
	if s.buf.Len() == 0 {
		return nil
	}
	_, err := s.w.Write(s.buf.Bytes())
	s.buf.Reset()
	if err != nil {
		return err
	}
	return s.rc.Flush()
}
