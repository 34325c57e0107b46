package outbox

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

// sinkHost is the host of receivers in the process. Names under .invalid never exist (RFC 2606), so no other host is reached by
// mistake.
const sinkHost = "sink.soundstage.invalid"

// maxSinkStatuses is the most status codes that a sink may have.
const maxSinkStatuses = 100

// Sink describes a receiver in the process.
type Sink struct {
	Events []engine.EventType `json:"events,omitempty"` // default: all
	Status []int              `json:"status,omitempty"` // status codes of the responses in turn; the last one repeats; default 200
	Secret string             `json:"secret,omitempty"` // signing secret; default: a new one
}

// Subscription is the webhook of a sink or a listener, with its signing secret.
type Subscription struct {
	Webhook engine.WebhookID   `json:"webhook_id"`
	URL     string             `json:"url"`
	Events  []engine.EventType `json:"events"`
	Secret  string             `json:"secret"`
}

// Subscribe creates a webhook whose receiver is in the process, so that a test needs no server. The outbox records what the sink
// receives. The status codes are part of the webhook's URL, https://sink.soundstage.invalid/?answer=500,500,200, which also works
// with /v1/webhooks. CodeInvalid for an invalid Sink; CodeConflict when the user has the maximum number of webhooks.
func (o *Outbox) Subscribe(ctx context.Context, s Sink) (Subscription, error) {
	at := "https://" + sinkHost + "/"
	if len(s.Status) > 0 {
		text := make([]string, len(s.Status))
		for i, n := range s.Status {
			text[i] = strconv.Itoa(n)
		}
		at += "?answer=" + strings.Join(text, ",")
	}
	if _, err := sinkStatuses(at); err != nil {
		return Subscription{}, err
	}
	return o.subscribe(ctx, at, s.Events, s.Secret)
}

// subscribe creates a webhook of the owner. secret signs its messages; "" generates one.
func (o *Outbox) subscribe(ctx context.Context, at string, events []engine.EventType, secret string) (Subscription, error) {
	if err := o.attached("Subscribe"); err != nil {
		return Subscription{}, err
	}
	if secret != "" {
		if err := checkSecret(secret); err != nil {
			return Subscription{}, err
		}
	}
	if len(events) == 0 {
		events = engine.EventTypes()
	}
	for _, event := range events {
		if !slices.Contains(engine.EventTypes(), event) {
			return Subscription{}, unknownEvent(event)
		}
	}
	first := at
	if isListener(at) { // Check rejects it for other callers
		first = "https://" + sinkHost + "/"
	}
	w, made, err := o.engine.CreateWebhook(ctx, o.owner, engine.NewWebhook{URL: first, Events: events})
	if err != nil {
		return Subscription{}, err
	}
	if first != at || secret != "" {
		if err := o.store.Update(ctx, func(tx engine.Tx) error {
			row, err := tx.Webhook(w.ID)
			if err != nil {
				return err
			}
			row.URL = at
			if secret != "" {
				row.Secrets = signature.Secrets{{Value: secret}}
				made = secret
			}
			return tx.PutWebhook(row)
		}); err != nil {
			return Subscription{}, errors.Join(err, o.engine.DeleteWebhook(ctx, o.owner, w.ID))
		}
	}
	return Subscription{Webhook: w.ID, URL: at, Events: events, Secret: made}, nil
}

// Unsubscribe deletes a sink's webhook and its deliveries. The outbox keeps its messages. CodeNotFound when the webhook is unknown
// or not a sink.
func (o *Outbox) Unsubscribe(ctx context.Context, id engine.WebhookID) error {
	if err := o.attached("Unsubscribe"); err != nil {
		return err
	}
	w, err := o.engine.GetWebhook(ctx, o.owner, id)
	if err != nil {
		return err
	}
	if !isSink(w.URL) {
		return engine.Errorf(engine.CodeNotFound, "Unsubscribe", "The webhook is not a sink.").WithHint("Delete it with DELETE /v1/webhooks/{id}.")
	}
	o.mu.Lock()
	delete(o.sinkCounts, id)
	o.mu.Unlock()
	return o.engine.DeleteWebhook(ctx, o.owner, id)
}

func isSink(at string) bool     { return hostOf(at) == sinkHost }
func isListener(at string) bool { return hostOf(at) == listenHost }

func hostOf(at string) string {
	u, err := url.Parse(at)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// sinkStatuses returns the status codes in a sink's URL. CodeInvalid when there is something else in it.
func sinkStatuses(at string) ([]int, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "url must be a valid URL.")
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || len(q) > 0 && !q.Has("answer") || len(q) > 1 {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink's URL may only have the parameter answer.")
	}
	if !q.Has("answer") {
		return []int{200}, nil
	}
	var answers []int
	for _, text := range strings.Split(q.Get("answer"), ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 100 || n > 599 {
			return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink's status codes must be numbers from 100 to 599.")
		}
		answers = append(answers, n)
	}
	if len(answers) > maxSinkStatuses {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink may have at most %d status codes.", maxSinkStatuses)
	}
	return answers, nil
}

// sink responds to a request to a sink.
func (o *Outbox) sink(req engine.SendRequest) (engine.SendResponse, error) {
	answers, err := sinkStatuses(req.URL)
	if err != nil {
		return engine.SendResponse{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.sinkCounts[req.Webhook]
	o.sinkCounts[req.Webhook]++
	return engine.SendResponse{Status: answers[min(n, len(answers)-1)]}, nil
}
