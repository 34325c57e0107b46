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

// webhookRoutes are the webhook laboratory of a world; outbox.Outbox has the same verbs in Go and says what they do.
var webhookRoutes = routes{
	"GET /_soundstage/webhooks/outbox":                      laboratory(listOutbox),
	"GET /_soundstage/webhooks/outbox/{id}":                 laboratory(getMessage),
	"POST /_soundstage/webhooks/outbox/wait":                laboratory(waitOutbox),
	"POST /_soundstage/webhooks/outbox/{id}/resend":         laboratory(resend),
	"POST /_soundstage/webhooks/outbox/{id}/duplicate":      laboratory(duplicate),
	"POST /_soundstage/webhooks/outbox/{id}/corrupt":        laboratory(corrupt),
	"POST /_soundstage/webhooks/trigger":                    laboratory(trigger),
	"GET /_soundstage/webhooks/hold":                        laboratory(holding),
	"POST /_soundstage/webhooks/hold":                       laboratory(hold),
	"DELETE /_soundstage/webhooks/hold":                     laboratory(release),
	"POST /_soundstage/webhooks/release":                    laboratory(release),
	"POST /_soundstage/webhooks/reorder":                    laboratory(reorder),
	"GET /_soundstage/webhooks/policy":                      laboratory(getPolicy),
	"PUT /_soundstage/webhooks/policy":                      laboratory(putPolicy),
	"POST /_soundstage/webhooks/sink":                       laboratory(subscribeSink),
	"DELETE /_soundstage/webhooks/sink/{id}":                laboratory(unsubscribeSink),
	"GET /_soundstage/webhooks/stream":                      streamOutbox,
	"POST /_soundstage/webhooks/listen":                     listen,
	"POST /_soundstage/webhooks/listen/{id}/answers/{seen}": laboratory(answerListened),
}

// laboratory is a handler that gets the world's outbox; what it returns is written as 200. What waits ends when the server does.
func laboratory(handle func(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error)) func(Host, http.ResponseWriter, *http.Request) error {
	return func(h Host, w http.ResponseWriter, req *http.Request) error {
		world, err := h.World(worldName(req))
		if err != nil {
			return err
		}
		ctx, cancel := untilEnding(h, req)
		defer cancel()
		v, err := handle(world.Webhooks(), w, req.WithContext(ctx))
		if err != nil {
			return err
		}
		write(w, http.StatusOK, v)
		return nil
	}
}

// parameters returns a request's query, and refuses what is not among names (world always is), and what is there twice.
func parameters(req *http.Request, names ...string) (url.Values, error) {
	q, err := url.ParseQuery(req.URL.RawQuery)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "control", "The query is malformed.").Because(err)
	}
	known := map[string]bool{"world": true}
	for _, name := range names {
		known[name] = true
	}
	for name, values := range q {
		if !known[name] {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "There is no parameter %q here.", name)
		}
		if len(values) > 1 {
			return nil, engine.Errorf(engine.CodeInvalid, "control", "%s is there twice.", name)
		}
	}
	return q, nil
}

// filterOf is the filter of a query.
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
	if err := read(w, req, &body); err != nil {
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
	if err := read(w, req, &body); err != nil {
		return nil, err
	}
	if body.Sign != "" && body.Sign != "same" && body.Sign != "anew" {
		return nil, engine.Errorf(engine.CodeInvalid, "control", "sign must be same or anew.")
	}
	a, err := o.Resend(req.Context(), req.PathValue("id"), body.Sign == "anew")
	return attemptsBody{[]outbox.Attempt{a}}, err
}

func duplicate(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	if err := read(w, req, &struct{}{}); err != nil {
		return nil, err
	}
	tries, err := o.Duplicate(req.Context(), req.PathValue("id"))
	return attemptsBody{tries}, err
}

func corrupt(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		What outbox.What `json:"what"`
	}
	if err := read(w, req, &body); err != nil {
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
	if err := read(w, req, &body); err != nil {
		return nil, err
	}
	return o.Trigger(req.Context(), outbox.Trigger{
		Event: body.Event, Resource: body.Resource, SpaceID: body.SpaceID, Overrides: body.Overrides, URL: body.URL, Secret: body.Secret,
	})
}

func holding(o *outbox.Outbox, _ http.ResponseWriter, _ *http.Request) (any, error) {
	return o.Holding(), nil
}

func hold(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var f outbox.Filter
	if err := read(w, req, &f); err != nil {
		return nil, err
	}
	return o.Hold(f)
}

type releasedBody struct {
	Released int `json:"released"`
}

func release(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	if err := read(w, req, &struct{}{}); err != nil {
		return nil, err
	}
	return releasedBody{o.Release()}, nil
}

func reorder(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var body struct {
		Count *int     `json:"count"`
		IDs   []string `json:"ids"`
	}
	if err := read(w, req, &body); err != nil {
		return nil, err
	}
	if (body.Count == nil) == (body.IDs == nil) {
		return nil, engine.Errorf(engine.CodeInvalid, "control", "Either count or ids is needed.").
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
	if err := read(w, req, &p); err != nil {
		return nil, err
	}
	return o.SetPolicy(p)
}

func subscribeSink(o *outbox.Outbox, w http.ResponseWriter, req *http.Request) (any, error) {
	var s outbox.Sink
	if err := read(w, req, &s); err != nil {
		return nil, err
	}
	return o.Subscribe(req.Context(), s)
}

func unsubscribeSink(o *outbox.Outbox, _ http.ResponseWriter, req *http.Request) (any, error) {
	return statusBody{"ok"}, o.Unsubscribe(req.Context(), engine.WebhookID(req.PathValue("id")))
}
