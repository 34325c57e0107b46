package control

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// lines is an answer that stays open: one JSON value on each line (application/x-ndjson).
type lines struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func newLines(w http.ResponseWriter) lines {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	l := lines{w, http.NewResponseController(w)}
	w.WriteHeader(http.StatusOK)
	_ = l.rc.Flush()
	return l
}

// write writes a line at once. An error is the reader's going away.
func (l lines) write(v any) error {
	if err := json.NewEncoder(l.w).Encode(v); err != nil {
		return err
	}
	return l.rc.Flush()
}

// untilEnding is a request's context that is over, too, when the server begins to stop.
func untilEnding(h Host, req *http.Request) (context.Context, func()) {
	ctx, cancel := context.WithCancel(req.Context())
	go func() {
		select {
		case <-h.Ending():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// streamOutbox is GET /_soundstage/webhooks/stream: a line {"message","attempt"} for each try that ends from now on, until the client goes
// away or the world ends.
func streamOutbox(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	q, err := parameters(req, "event", "event_id", "webhook", "resource")
	if err != nil {
		return err
	}
	f, err := filterOf(q)
	if err != nil {
		return err
	}
	ctx, cancel := untilEnding(h, req)
	defer cancel()
	var l lines
	_ = world.Webhooks().Follow(ctx, f, func() { l = newLines(w) }, func(e outbox.Event) error { return l.write(e) })
	return nil // whatever it was, the answer has begun
}

// Listened is one line of POST /_soundstage/webhooks/listen: the first has the subscription, each further one a request.
type Listened struct {
	Listening *outbox.Subscription `json:"listening,omitempty"`
	Request   *outbox.Relayed      `json:"request,omitempty"`
}

// listen is POST /_soundstage/webhooks/listen: a webhook that lives as long as the answer is read, whose requests are its lines. Each waits
// for POST …/listen/{webhook_id}/answers/{id}.
func listen(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var body struct {
		Events []engine.EventType `json:"events"`
		Secret string             `json:"secret"`
	}
	if err := read(w, req, &body); err != nil {
		return err
	}
	ctx, cancel := untilEnding(h, req)
	defer cancel()
	listener, err := world.Webhooks().Listen(ctx, body.Events, body.Secret)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close(ctx) }()
	l := newLines(w)
	if err := l.write(Listened{Listening: &listener.Subscription}); err != nil {
		return nil // the client has gone
	}
	for {
		r, err := listener.Next(ctx)
		if err != nil || l.write(Listened{Request: &r}) != nil {
			return nil
		}
	}
}

// answerListened is POST /_soundstage/webhooks/listen/{id}/answers/{seen}: what came of a request.
func answerListened(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body ListenAnswer
	if err := read(w, req, &body); err != nil {
		return nil, err
	}
	l, err := o.Listener(engine.WebhookID(req.PathValue("id")))
	if err != nil {
		return nil, err
	}
	res := engine.SendResponse{Status: body.Status, Header: body.Headers, Body: body.Body, RetryAfter: body.RetryAfter()}
	return statusBody{"ok"}, l.Answer(req.PathValue("seen"), res, body.Error)
}
