package control

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// lineWriter is a streaming response with one JSON value per line (application/x-ndjson).
type lineWriter struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func newLineWriter(w http.ResponseWriter) lineWriter {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	l := lineWriter{w, http.NewResponseController(w)}
	w.WriteHeader(http.StatusOK)
	_ = l.rc.Flush()
	return l
}

// write writes one line and flushes it. It returns an error when the client has disconnected.
func (l lineWriter) write(v any) error {
	if err := json.NewEncoder(l.w).Encode(v); err != nil {
		return err
	}
	return l.rc.Flush()
}

// contextUntilShutdown returns the request's context, which also ends when the server starts to shut down.
func contextUntilShutdown(h Host, req *http.Request) (context.Context, func()) {
	ctx, cancel := context.WithCancel(req.Context())
	go func() {
		select {
		case <-h.ShuttingDown():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// streamOutbox handles GET /_soundstage/webhooks/stream: a line {"message","attempt"} for each attempt that ends from now on, until the
// client disconnects or the world is closed.
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
	ctx, cancel := contextUntilShutdown(h, req)
	defer cancel()
	var l lineWriter
	_ = world.Webhooks().Follow(ctx, f, func() { l = newLineWriter(w) }, func(e outbox.Event) error { return l.write(e) })
	return nil // the response has already started
}

// ListenLine is one line of POST /_soundstage/webhooks/listen: the first line has the subscription, each other line a request.
type ListenLine struct {
	Listening *outbox.Subscription `json:"listening,omitempty"`
	Request   *outbox.Relayed      `json:"request,omitempty"`
}

// listen handles POST /_soundstage/webhooks/listen. It creates a webhook that exists while the client reads the response, and writes each
// request to it as a line. Each request then waits for POST …/listen/{webhook_id}/answers/{id}.
func listen(h Host, w http.ResponseWriter, req *http.Request) error {
	world, err := h.World(worldName(req))
	if err != nil {
		return err
	}
	var body struct {
		Events []engine.EventType `json:"events"`
		Secret string             `json:"secret"`
	}
	if err := readBody(w, req, &body); err != nil {
		return err
	}
	ctx, cancel := contextUntilShutdown(h, req)
	defer cancel()
	listener, err := world.Webhooks().Listen(ctx, body.Events, body.Secret)
	if err != nil {
		return err
	}
	defer func() { _ = listener.Close(ctx) }()
	l := newLineWriter(w)
	if err := l.write(ListenLine{Listening: &listener.Subscription}); err != nil {
		return nil // the client has disconnected
	}
	for {
		r, err := listener.Next(ctx)
		if err != nil || l.write(ListenLine{Request: &r}) != nil {
			return nil
		}
	}
}

// answerListened handles POST /_soundstage/webhooks/listen/{id}/answers/{seen}: the listener's response to a request.
func answerListened(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body ListenResponse
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	l, err := o.Listener(engine.WebhookID(req.PathValue("id")))
	if err != nil {
		return nil, err
	}
	res := engine.SendResponse{Status: body.Status, Header: body.Headers, Body: body.Body, RetryAfter: body.RetryAfter()}
	return statusBody{"ok"}, l.Answer(req.PathValue("seen"), res, body.Error)
}
