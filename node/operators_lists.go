package node

import (
	"net/http"
	"net/url"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// operatorRecording is a recording of any account.
type operatorRecording struct {
	ID         engine.RecordingID      `json:"id"`
	SpaceID    engine.SpaceID          `json:"space_id"`
	Number     int                     `json:"number"`
	Title      string                  `json:"title"`
	Status     engine.TranscriptStatus `json:"transcript_status"`
	Error      string                  `json:"error,omitempty"` // of the transcript
	Language   string                  `json:"language"`
	DurationMS int64                   `json:"duration_ms"`
	HasVideo   bool                    `json:"has_video"`
	Size       int64                   `json:"size"`
	CreatedAt  time.Time               `json:"created_at"`
}

type operatorRecordings struct {
	Recordings []operatorRecording `json:"recordings"`
	Count      int                 `json:"count"`
	Next       string              `json:"next,omitempty"`
}

// statusList returns the request for a page from the parameters status, limit, and after.
func statusList[S ~string](req *http.Request) (l engine.StatusList[S], err error) {
	q, err := parameters(req, "status", "limit", "after")
	if err != nil {
		return l, err
	}
	l.Statuses, l.Cursor = listOf[S](q["status"]), q["after"]
	l.Limit, err = limitOf(q, 50, engine.MaxPageSize)
	return l, err
}

// listRecordings handles GET /_soundstage/recordings.
func (o operators) listRecordings(req *http.Request) (any, error) {
	l, err := statusList[engine.TranscriptStatus](req)
	if err != nil {
		return nil, err
	}
	page, err := o.n.engine.AllRecordings(req.Context(), l)
	if err != nil {
		return nil, err
	}
	out := operatorRecordings{Recordings: make([]operatorRecording, len(page.Rows)), Count: len(page.Rows), Next: page.NextCursor}
	err = o.n.c.Store.View(req.Context(), func(tx engine.ReadTx) error {
		for i, r := range page.Rows {
			out.Recordings[i] = operatorRecording{
				ID: r.ID, SpaceID: r.SpaceID, Number: r.Number, Title: r.Title, Status: r.TranscriptStatus, Language: string(r.Language),
				DurationMS: r.Duration.Milliseconds(), HasVideo: r.HasVideo, Size: r.Size, CreatedAt: r.CreatedAt.UTC(),
			}
			if r.TranscriptStatus != engine.TranscriptError {
				continue // its words are many
			}
			t, err := tx.Transcript(r.TranscriptID)
			if err != nil && engine.CodeOf(err) != engine.CodeNotFound {
				return err
			}
			out.Recordings[i].Error = t.Error
		}
		return nil
	})
	return out, err
}

// operatorDelivery is a delivery of any webhook. The URL of the webhook is without its user and query, which may be secrets of its owner. So
// are the bodies and headers, which are not here.
type operatorDelivery struct {
	ID         engine.DeliveryID     `json:"id"`
	WebhookID  engine.WebhookID      `json:"webhook_id"`
	AccountID  engine.AccountID      `json:"account_id"`
	URL        string                `json:"url"` // "" when the webhook was deleted
	Disabled   bool                  `json:"disabled"`
	EventID    string                `json:"event_id"`
	Event      engine.EventType      `json:"event"`
	Status     engine.DeliveryStatus `json:"status"`
	Attempts   int                   `json:"attempts"`    // of those that are kept
	LastStatus int                   `json:"last_status"` // of the last attempt; 0 without a response
	LastError  string                `json:"last_error,omitempty"`
	LastAt     *time.Time            `json:"last_at"`
	CreatedAt  time.Time             `json:"created_at"`
	UpdatedAt  time.Time             `json:"updated_at"`
}

type operatorDeliveries struct {
	Deliveries []operatorDelivery `json:"deliveries"`
	Count      int                `json:"count"`
	Next       string             `json:"next,omitempty"`
}

// operatorAttempt is one attempt of a delivery.
type operatorAttempt struct {
	At         time.Time `json:"at"`
	DurationMS int64     `json:"duration_ms"`
	Status     int       `json:"status"`
	Error      string    `json:"error,omitempty"`
}

// listDeliveries handles GET /_soundstage/deliveries.
func (o operators) listDeliveries(req *http.Request) (any, error) {
	l, err := statusList[engine.DeliveryStatus](req)
	if err != nil {
		return nil, err
	}
	page, err := o.n.engine.AllDeliveries(req.Context(), l)
	if err != nil {
		return nil, err
	}
	out := operatorDeliveries{Deliveries: make([]operatorDelivery, len(page.Rows)), Count: len(page.Rows), Next: page.NextCursor}
	err = o.n.c.Store.View(req.Context(), func(tx engine.ReadTx) error {
		hooks := map[engine.WebhookID]engine.Webhook{}
		for i, d := range page.Rows {
			hook, known := hooks[d.WebhookID]
			if !known {
				var err error
				if hook, err = tx.Webhook(d.WebhookID); err != nil && engine.CodeOf(err) != engine.CodeNotFound {
					return err
				}
				hooks[d.WebhookID] = hook
			}
			out.Deliveries[i] = describeDelivery(d, hook)
		}
		return nil
	})
	return out, err
}

func describeDelivery(d engine.Delivery, w engine.Webhook) operatorDelivery {
	out := operatorDelivery{
		ID: d.ID, WebhookID: d.WebhookID, AccountID: w.AccountID, URL: withoutSecrets(w.URL), Disabled: w.Disabled, EventID: d.EventID, Event: d.Event,
		Status: d.Status, Attempts: len(d.Attempts), CreatedAt: d.CreatedAt.UTC(), UpdatedAt: d.UpdatedAt.UTC(),
	}
	if n := len(d.Attempts); n > 0 {
		last := d.Attempts[n-1]
		at := last.At.UTC()
		out.LastStatus, out.LastError, out.LastAt = last.Status, last.Error, &at
	}
	return out
}

// withoutSecrets returns a URL without user, query, and fragment.
func withoutSecrets(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
	return u.String()
}

// delivery returns a delivery and its webhook. CodeNotFound.
func (o operators) delivery(req *http.Request) (d engine.Delivery, w engine.Webhook, err error) {
	id := engine.DeliveryID(req.PathValue("id"))
	err = o.n.c.Store.View(req.Context(), func(tx engine.ReadTx) (err error) {
		if d, err = tx.Delivery(id); err != nil {
			return err
		}
		w, err = tx.Webhook(d.WebhookID)
		return err
	})
	if engine.CodeOf(err) == engine.CodeNotFound {
		err = engine.Errorf(engine.CodeNotFound, "operators", "There is no delivery with the id %.100q.", string(id)).
			WithHint("List them with GET /_soundstage/deliveries.").Because(err)
	}
	return d, w, err
}

type operatorDeliveryBody struct {
	Delivery operatorDelivery  `json:"delivery"`
	Attempts []operatorAttempt `json:"attempts"` // oldest first
}

func deliveryBody(d engine.Delivery, w engine.Webhook) operatorDeliveryBody {
	out := operatorDeliveryBody{Delivery: describeDelivery(d, w), Attempts: make([]operatorAttempt, len(d.Attempts))}
	for i, a := range d.Attempts {
		out.Attempts[i] = operatorAttempt{a.At.UTC(), a.Duration.Milliseconds(), a.Status, a.Error}
	}
	return out
}

// getDelivery handles GET /_soundstage/deliveries/{id}.
func (o operators) getDelivery(req *http.Request) (any, error) {
	d, w, err := o.delivery(req)
	return deliveryBody(d, w), err
}

// replayDelivery handles POST /_soundstage/deliveries/{id}/replay, on behalf of the owner of the webhook.
func (o operators) replayDelivery(req *http.Request) (any, error) {
	d, w, err := o.delivery(req)
	if err != nil {
		return nil, err
	}
	owner := engine.Caller{UserID: w.UserID, AccountID: w.AccountID, Tier: engine.TierPlatform}
	if d, err = o.n.engine.ReplayDelivery(req.Context(), owner, w.ID, d.ID); err != nil {
		return nil, err
	}
	o.n.c.Log.Info("an operator sent a delivery again", "delivery", d.ID, "webhook", w.ID, "remote", req.RemoteAddr)
	return deliveryBody(d, w), nil
}
