package outbox

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// sinkHost is the host of receivers that are in the process itself. No name under .invalid exists (RFC 2606), so that nothing else is
// reached by mistake.
const sinkHost = "sink.soundstage.invalid"

// maxAnswers is how many answers a sink may have.
const maxAnswers = 100

// Sink asks for a receiver in the process itself.
type Sink struct {
	Events []engine.EventType `json:"events,omitempty"` // default all
	Status []int              `json:"status,omitempty"` // answers in turn, the last one for ever; default 200
	Secret string             `json:"secret,omitempty"` // that signs; default a new one
}

// Subscription is a webhook of a sink or a listener, with the secret that signs.
type Subscription struct {
	Webhook engine.WebhookID   `json:"webhook_id"`
	URL     string             `json:"url"`
	Events  []engine.EventType `json:"events"`
	Secret  string             `json:"secret"`
}

// Subscribe makes a webhook whose receiver is in the process itself, so that a test needs no server: it keeps nothing, since the outbox
// does. The answers are in the webhook's URL, https://sink.soundstage.invalid/?answer=500,500,200, which may be used with /v1/webhooks
// as well. CodeInvalid; CodeConflict when the user has as many webhooks as there may be.
func (o *Outbox) Subscribe(ctx context.Context, s Sink) (Subscription, error) {
	at := "https://" + sinkHost + "/"
	if len(s.Status) > 0 {
		text := make([]string, len(s.Status))
		for i, n := range s.Status {
			text[i] = strconv.Itoa(n)
		}
		at += "?answer=" + strings.Join(text, ",")
	}
	if _, err := sinkAnswers(at); err != nil {
		return Subscription{}, err
	}
	return o.subscribe(ctx, at, s.Events, s.Secret)
}

// subscribe makes a webhook of the owner, with a secret of the caller's own unless it is "".
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
	if isListener(at) { // Check refuses it to everybody else
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
				row.Secrets = []engine.WebhookSecret{{Value: secret}}
				made = secret
			}
			return tx.PutWebhook(row)
		}); err != nil {
			return Subscription{}, errors.Join(err, o.engine.DeleteWebhook(ctx, o.owner, w.ID))
		}
	}
	return Subscription{Webhook: w.ID, URL: at, Events: events, Secret: made}, nil
}

// Unsubscribe deletes the webhook of a sink with its deliveries; what the outbox has of it stays. CodeNotFound, also for a webhook that is
// no sink's.
func (o *Outbox) Unsubscribe(ctx context.Context, id engine.WebhookID) error {
	if err := o.attached("Unsubscribe"); err != nil {
		return err
	}
	w, err := o.engine.GetWebhook(ctx, o.owner, id)
	if err != nil {
		return err
	}
	if !isSink(w.URL) {
		return engine.Errorf(engine.CodeNotFound, "Unsubscribe", "The webhook is no sink.").WithHint("DELETE /v1/webhooks/{id} deletes any.")
	}
	o.mu.Lock()
	delete(o.answered, id)
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

// sinkAnswers reads the answers of a sink's URL. CodeInvalid.
func sinkAnswers(at string) ([]int, error) {
	u, err := url.Parse(at)
	if err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "url must be an address.")
	}
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil || len(q) > 0 && !q.Has("answer") || len(q) > 1 {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink's address has no parameter but answer.")
	}
	if !q.Has("answer") {
		return []int{200}, nil
	}
	var answers []int
	for _, text := range strings.Split(q.Get("answer"), ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 100 || n > 599 {
			return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink's answers must be numbers from 100 to 599.")
		}
		answers = append(answers, n)
	}
	if len(answers) > maxAnswers {
		return nil, engine.Errorf(engine.CodeInvalid, "Sink", "A sink may have %d answers.", maxAnswers)
	}
	return answers, nil
}

// sink answers a request to a sink.
func (o *Outbox) sink(req engine.SendRequest) (engine.SendResponse, error) {
	answers, err := sinkAnswers(req.URL)
	if err != nil {
		return engine.SendResponse{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	n := o.answered[req.Webhook]
	o.answered[req.Webhook]++
	return engine.SendResponse{Status: answers[min(n, len(answers)-1)]}, nil
}
