package control

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// webhookRoutes are the endpoints for a world's webhooks. outbox.Outbox documents each operation.
var webhookRoutes = routes{
	"GET /_soundstage/webhooks/outbox":                      outboxHandler(listOutbox),
	"GET /_soundstage/webhooks/outbox/{id}":                 outboxHandler(getMessage),
	"POST /_soundstage/webhooks/outbox/wait":                outboxHandler(waitOutbox),
	"POST /_soundstage/webhooks/outbox/{id}/resend":         outboxHandler(resend),
	"POST /_soundstage/webhooks/outbox/{id}/duplicate":      outboxHandler(duplicate),
	"POST /_soundstage/webhooks/outbox/{id}/corrupt":        outboxHandler(corrupt),
	"POST /_soundstage/webhooks/trigger":                    outboxHandler(trigger),
	"GET /_soundstage/webhooks/hold":                        outboxHandler(getHold),
	"POST /_soundstage/webhooks/hold":                       outboxHandler(hold),
	"DELETE /_soundstage/webhooks/hold":                     outboxHandler(release),
	"POST /_soundstage/webhooks/release":                    outboxHandler(release),
	"POST /_soundstage/webhooks/reorder":                    outboxHandler(reorder),
	"GET /_soundstage/webhooks/policy":                      outboxHandler(getPolicy),
	"PUT /_soundstage/webhooks/policy":                      outboxHandler(putPolicy),
	"POST /_soundstage/webhooks/sink":                       outboxHandler(subscribeSink),
	"DELETE /_soundstage/webhooks/sink/{id}":                outboxHandler(unsubscribeSink),
	"GET /_soundstage/webhooks/stream":                      streamOutbox,
	"POST /_soundstage/webhooks/listen":                     listen,
	"POST /_soundstage/webhooks/listen/{id}/answers/{seen}": outboxHandler(answerListened),
}

// outboxHandler returns a handler that passes the world's outbox to handle and writes its result with status 200. Its context ends when the
// server shuts down.
func outboxHandler(handle func(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error)) func(Host, http.ResponseWriter, *http.Request) error {
	return func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		ctx, cancel := contextUntilShutdown(h, req)
		defer cancel()
		v, err := handle(world.Webhooks(), w, req.WithContext(ctx))
		if err != nil {
			return err
		}
		writeJSON(w, http.StatusOK, v)
		return nil
	}
}

// parameters returns a request's query. It rejects parameters other than names and world, and repeated ones.
func parameters(req *http.Request, names ...string) (url.Values, error) {
	q, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "control", "The query string is malformed.").Because(err)
	}
	known := map[string]bool{"world": true}
	for _, name := range names {
		known[name] = true
	}
	for name, values := range q {
		if !known[name] {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "Unknown parameter %q.", name)
		}
		if len(values) > 1 {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "The parameter %s is given more than once.", name)
		}
	}
	return q, nil
}

// filterOf returns the outbox filter of a query.
func filterOf(q url.Values) (outbox.Filter, error) {
	f := outbox.Filter{
		Event: engine.EventType(q.Get("event")), EventID: q.Get("event_id"), Webhook: engine.WebhookID(q.Get("webhook")), Resource: q.Get("resource"),
	}
	return f, f.Validate()
}

type messagesBody struct {
	Messages []outbox.Message `json:"messages"`
	Count    int              `json:"count"`
}

type attemptsBody struct {
	Attempts []outbox.Attempt `json:"attempts"`
}

func listOutbox(o *outbox.Outbox, _ http.ResponseWriter, req *http.Request) (any, error) {
	q, err := parameters(req, "event", "event_id", "webhook", "resource", "limit")
	if err != nil {
		return nil, err
	}
	f, err := filterOf(q)
	if err != nil {
		return nil, err
	}
	limit := 0
	if q.Has("limit") {
		if limit, err = strconv.Atoi(q.Get("limit")); err != nil || limit < 1 {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "limit must be a number of at least 1.")
		}
	}
	found, err := o.List(f, limit)
	return messagesBody{found, len(found)}, err
}

func getMessage(o *outbox.Outbox, _ http.ResponseWriter, req *http.Request) (any, error) {
	m, err := o.Get(req.PathValue("id"))
	return struct {
		Message outbox.Message `json:"message"`
	}{m}, err
}

func waitOutbox(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		outbox.Filter
		Count     *int `json:"count"`
		TimeoutMS *int `json:"timeout_ms"`
	}
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	if err := body.Validate(); err != nil {
		return nil, err
	}
	count, timeout := 1, defaultWait
	if body.Count != nil {
		count = *body.Count
	}
	if ms := body.TimeoutMS; ms != nil {
		if *ms < 0 || *ms > int(maxWait.Milliseconds()) {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "timeout_ms must be a number from 0 to %d.", maxWait.Milliseconds())
		}
		timeout = time.Duration(*ms) * time.Millisecond
	}
	found, err := o.Wait(req.Context(), body.Filter, count, timeout)
	return messagesBody{found, len(found)}, err
}

func resend(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		Sign string `json:"sign"` // "same", the default, or "anew"
	}
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	if body.Sign != "" && body.Sign != "same" && body.Sign != "anew" {
		return nil, engine.Errorf(engine.CodeInvalid, "control", `sign must be "same" or "anew" (got %.20q).`, body.Sign)
	}
	a, err := o.Resend(req.Context(), req.PathValue("id"), body.Sign == "anew")
	return attemptsBody{[]outbox.Attempt{a}}, err
}

func duplicate(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	if err := readBody(w, req, &struct{}{}); err != nil {
		return nil, err
	}
	tries, err := o.Duplicate(req.Context(), req.PathValue("id"))
	return attemptsBody{tries}, err
}

func corrupt(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		What outbox.Corruption `json:"what"`
	}
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	a, err := o.Corrupt(req.Context(), req.PathValue("id"), body.What)
	return attemptsBody{[]outbox.Attempt{a}}, err
}

func trigger(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		Event     engine.EventType           `json:"event"`
		Resource  string                     `json:"resource"`
		SpaceID   engine.SpaceID             `json:"space_id"`
		Overrides map[string]json.RawMessage `json:"overrides"`
		URL       string                     `json:"url"`
		Secret    string                     `json:"secret"`
	}
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	return o.Trigger(req.Context(), outbox.Trigger{
		Event: body.Event, Resource: body.Resource, SpaceID: body.SpaceID, Overrides: body.Overrides, URL: body.URL, Secret: body.Secret,
	})
}

func getHold(o *outbox.Outbox, _ http.ResponseWriter, _ *http.Request) (any, error) {
	return o.Holding(), nil
}

func hold(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var f outbox.Filter
	if err := readBody(w, req, &f); err != nil {
		return nil, err
	}
	return o.Hold(f)
}

type releasedBody struct {
	Released int `json:"released"`
}

func release(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	if err := readBody(w, req, &struct{}{}); err != nil {
		return nil, err
	}
	return releasedBody{o.Release()}, nil
}

func reorder(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		Count *int     `json:"count"`
		IDs   []string `json:"ids"`
	}
	if err := readBody(w, req, &body); err != nil {
		return nil, err
	}
	if (body.Count == nil) == (body.IDs == nil) {
		return nil, engine.Errorf(engine.CodeInvalid, "control", "Set exactly one of count and ids.").
			WithHint("count collects the next messages and sends them in reverse; ids sends held messages in that order.")
	}
	if body.Count != nil {
		err := o.Reorder(*body.Count)
		return o.Holding(), err
	}
	err := o.ReleaseInOrder(body.IDs)
	return releasedBody{len(body.IDs)}, err
}

func getPolicy(o *outbox.Outbox, _ http.ResponseWriter, _ *http.Request) (any, error) {
	return o.Policy(), nil
}

func putPolicy(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var p outbox.Policy
	if err := readBody(w, req, &p); err != nil {
		return nil, err
	}
	return o.SetPolicy(p)
}

func subscribeSink(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var s outbox.Sink
	if err := readBody(w, req, &s); err != nil {
		return nil, err
	}
	return o.Subscribe(req.Context(), s)
}

func unsubscribeSink(o *outbox.Outbox, _ http.ResponseWriter, req *http.Request) (any, error) {
	return statusBody{"ok"}, o.Unsubscribe(req.Context(), engine.WebhookID(req.PathValue("id")))
}
