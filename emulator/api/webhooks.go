package api

import (
	"net/http"

	"github.com/soundstage-dev/soundstage/engine"
)

type wireWebhook struct {
	ID          engine.WebhookID   `json:"id"`
	URL         string             `json:"url"`
	Events      []engine.EventType `json:"events"`
	SpaceID     *engine.SpaceID    `json:"space_id"`
	Description *string            `json:"description"`
	Disabled    bool               `json:"disabled"`
	CreatedAt   string             `json:"created_at"`
	UpdatedAt   string             `json:"updated_at"`
	Secret      string             `json:"secret,omitempty"` // only when new
}

type webhookBody struct {
	Webhook wireWebhook `json:"webhook"`
}

func wireOfWebhook(w engine.Webhook, secret string) wireWebhook {
	return wireWebhook{
		ID: w.ID, URL: w.URL, Events: w.Events, SpaceID: orNull(w.SpaceID), Description: orNull(w.Description), Disabled: w.Disabled,
		CreatedAt: timestamp(w.CreatedAt), UpdatedAt: timestamp(w.UpdatedAt), Secret: secret,
	}
}

// createWebhook handles POST /v1/webhooks.
func (a *api) createWebhook(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	n := engine.NewWebhook{
		URL: b.string("url"), Events: idsOf[engine.EventType](b.strings("events")), SpaceID: engine.SpaceID(b.string("space_id")),
		Description: b.string("description"),
	}
	if b.first != nil {
		return b.first
	}
	hook, secret, err := a.engine.CreateWebhook(req.Context(), c, n)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, webhookBody{wireOfWebhook(hook, secret)})
	return nil
}

// listWebhooks handles GET /v1/webhooks.
func (a *api) listWebhooks(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	hooks, err := a.engine.ListWebhooks(req.Context(), c)
	if err != nil {
		return err
	}
	out := struct {
		Webhooks []wireWebhook `json:"webhooks"`
		Count    int           `json:"count"`
	}{make([]wireWebhook, len(hooks)), len(hooks)}
	for i, h := range hooks {
		out.Webhooks[i] = wireOfWebhook(h, "")
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

func webhookID(req *http.Request) engine.WebhookID { return engine.WebhookID(req.PathValue("id")) }

// getWebhook handles GET /v1/webhooks/:id.
func (a *api) getWebhook(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	hook, err := a.engine.GetWebhook(req.Context(), c, webhookID(req))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, webhookBody{wireOfWebhook(hook, "")})
	return nil
}

// updateWebhook handles PATCH /v1/webhooks/:id. A null description is cleared; other null fields are ignored.
func (a *api) updateWebhook(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	b, err := readBody(w, req)
	if err != nil {
		return err
	}
	ch := engine.WebhookChange{Description: b.change("description")}
	if b.has("url") {
		url := b.string("url")
		ch.URL = &url
	}
	if b.has("events") {
		ch.Events = idsOf[engine.EventType](b.strings("events"))
	}
	if b.has("disabled") {
		disabled := b.bool("disabled")
		ch.Disabled = &disabled
	}
	if b.first != nil {
		return b.first
	}
	hook, err := a.engine.UpdateWebhook(req.Context(), c, webhookID(req), ch)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, webhookBody{wireOfWebhook(hook, "")})
	return nil
}

// deleteWebhook handles DELETE /v1/webhooks/:id.
func (a *api) deleteWebhook(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	if err := a.engine.DeleteWebhook(req.Context(), c, webhookID(req)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// rotateWebhookSecret handles POST /v1/webhooks/:id/rotate-secret.
func (a *api) rotateWebhookSecret(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	hook, secret, err := a.engine.RotateWebhookSecret(req.Context(), c, webhookID(req))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, webhookBody{wireOfWebhook(hook, secret)})
	return nil
}

type wireDelivery struct {
	ID        engine.DeliveryID     `json:"id"`
	EventID   string                `json:"event_id"`
	Event     engine.EventType      `json:"event"`
	Status    engine.DeliveryStatus `json:"status"`
	CreatedAt string                `json:"created_at"`
	Attempts  []wireAttempt         `json:"attempts"`
}

type wireAttempt struct {
	At             string            `json:"at"`
	DurationMS     int64             `json:"duration_ms"`
	StatusCode     *int              `json:"status_code"`
	Error          *string           `json:"error"`
	ResponseBody   *string           `json:"response_body"`
	RequestHeaders map[string]string `json:"request_headers"`
}

type deliveryBody struct {
	Delivery wireDelivery `json:"delivery"`
}

func wireOfDelivery(d engine.Delivery) wireDelivery {
	w := wireDelivery{
		ID: d.ID, EventID: d.EventID, Event: d.Event, Status: d.Status, CreatedAt: timestamp(d.CreatedAt),
		Attempts: make([]wireAttempt, len(d.Attempts)),
	}
	for i, t := range d.Attempts {
		w.Attempts[i] = wireAttempt{
			At: timestamp(t.At), DurationMS: t.Duration.Milliseconds(), Error: orNull(t.Error), ResponseBody: orNull(t.Response),
			RequestHeaders: t.Request,
		}
		if t.Status != 0 {
			w.Attempts[i].StatusCode = &t.Status
		}
		if t.Request == nil {
			w.Attempts[i].RequestHeaders = map[string]string{}
		}
	}
	return w
}

// testWebhook handles POST /v1/webhooks/:id/test.
func (a *api) testWebhook(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	d, err := a.engine.TestWebhook(req.Context(), c, webhookID(req))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, deliveryBody{wireOfDelivery(d)})
	return nil
}

// listDeliveries handles GET /v1/webhooks/:id/deliveries.
func (a *api) listDeliveries(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	q, err := parseQuery(req)
	if err != nil {
		return err
	}
	limit, err := limitOf(q, engine.MaxPageSize)
	if err != nil {
		return err
	}
	deliveries, err := a.engine.ListDeliveries(req.Context(), c, webhookID(req), limit)
	if err != nil {
		return err
	}
	out := struct {
		Deliveries []wireDelivery `json:"deliveries"`
		Count      int            `json:"count"`
	}{make([]wireDelivery, len(deliveries)), len(deliveries)}
	for i, d := range deliveries {
		out.Deliveries[i] = wireOfDelivery(d)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// replayDelivery handles POST /v1/webhooks/:id/deliveries/:delivery_id/replay.
func (a *api) replayDelivery(w http.ResponseWriter, req *http.Request, c engine.Caller) error {
	d, err := a.engine.ReplayDelivery(req.Context(), c, webhookID(req), engine.DeliveryID(req.PathValue("delivery_id")))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusAccepted, deliveryBody{wireOfDelivery(d)})
	return nil
}
