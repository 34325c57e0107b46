package outbox

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
)

// Kind says why a try was made.
type Kind string

const (
	KindDelivery  Kind = "delivery"  // by the engine: the first try, a further one or a replay
	KindTrigger   Kind = "trigger"   // by Trigger with a URL
	KindResend    Kind = "resend"    // by Resend
	KindDuplicate Kind = "duplicate" // by Duplicate
	KindCorrupt   Kind = "corrupt"   // by Corrupt
)

// Message is one event on its way to one webhook.
type Message struct {
	ID        string           `json:"id"`                   // of the engine's delivery; "direct-1" when Trigger sent it to a URL
	Webhook   engine.WebhookID `json:"webhook_id,omitempty"` // "" when Trigger sent it to a URL
	Event     engine.EventType `json:"event"`
	EventID   string           `json:"event_id"` // the header webhook-id
	Resource  string           `json:"resource"` // id of the output, else of the recording
	URL       string           `json:"url"`      // of the newest try; "" before
	Body      string           `json:"body"`     // the JSON, byte for byte
	Status    Status           `json:"status"`
	CreatedAt time.Time        `json:"created_at"`
	Attempts  []Attempt        `json:"attempts"` // oldest first; the newest MaxAttempts
}

// MaxAttempts is how many tries of a message are kept.
const MaxAttempts = 50

// Attempt is one try of a message, as it went over the network.
type Attempt struct {
	Number     int       `json:"number"` // from 1, in the order in which they ended
	Kind       Kind      `json:"kind"`
	Corrupted  What      `json:"corrupted,omitempty"` // what is wrong with it, of KindCorrupt
	At         time.Time `json:"at"`                  // of the wall clock
	DurationMS int64     `json:"duration_ms"`
	Request    Request   `json:"request"`
	Response   *Response `json:"response"`        // null when no answer came
	Error      string    `json:"error,omitempty"` // why no answer came
}

// OK reports whether the try was answered with 2xx.
func (a Attempt) OK() bool {
	return a.Response != nil && a.Response.Status >= 200 && a.Response.Status < 300
}

// Request is what was sent, or would have been had there been a connection.
type Request struct {
	Line    string   `json:"line"`    // "POST /hook HTTP/1.1"
	Headers []Header `json:"headers"` // in the order in which they were written
	Body    string   `json:"body"`
	Signed  string   `json:"signed"` // the text that a right signature is of: "id.timestamp.body"
}

// Header is one line of a head.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Response is what the receiver answered.
type Response struct {
	Status     int      `json:"status"`
	Headers    []Header `json:"headers"` // by name
	Body       string   `json:"body"`    // its first 2 KiB
	BodyBase64 string   `json:"body_base64,omitempty"`
}

// Event is a try that is over, of a stream.
type Event struct {
	Message Message `json:"message"` // as it was then, without its tries
	Attempt Attempt `json:"attempt"`
	Missed  int     `json:"missed,omitempty"` // tries before this one that the stream was too slow for
}

// message is a Message with what it takes to send it again.
type message struct {
	Message
	seq    int                 // tries that were ever over
	last   *engine.SendRequest // of the newest regular try
	secret string              // of a message without a webhook
	held   int                 // tries that wait at the gate
	flying int                 // tries that are on their way
	ok     bool                // the newest try that is over was answered with 2xx
}

// Filter chooses messages; an empty member chooses all.
type Filter struct {
	Event    engine.EventType `json:"event,omitempty"`
	EventID  string           `json:"event_id,omitempty"`
	Webhook  engine.WebhookID `json:"webhook,omitempty"`
	Resource string           `json:"resource,omitempty"` // any id in the data: of the recording, output, space or prompt
}

// Validate refuses an event that doesn't exist, as CodeInvalid.
func (f Filter) Validate() error {
	if f.Event != "" && !slices.Contains(engine.EventTypes(), f.Event) {
		return unknownEvent(f.Event)
	}
	return nil
}

func (f Filter) matches(m *message) bool {
	return (f.Event == "" || f.Event == m.Event) && (f.EventID == "" || f.EventID == m.EventID) &&
		(f.Webhook == "" || f.Webhook == m.Webhook) && (f.Resource == "" || slices.Contains(idsIn([]byte(m.Body)), f.Resource))
}

// unknownEvent names every event that there is.
func unknownEvent(event engine.EventType) error {
	var all []string
	for _, e := range engine.EventTypes() {
		all = append(all, string(e))
	}
	slices.Sort(all)
	return engine.Errorf(engine.CodeInvalid, "Webhooks", "There is no event %q.", event).WithHint("The events are " + strings.Join(all, ", ") + ".")
}

// idsIn returns the ids of a payload, the one that the event is about first.
func idsIn(body []byte) []string {
	var p struct {
		Type engine.EventType `json:"type"`
		Data map[string]any   `json:"data"`
	}
	if json.Unmarshal(body, &p) != nil {
		return nil
	}
	var ids []string
	for _, event := range engine.Events() {
		for _, f := range event.Data {
			if id, ok := p.Data[f.Name].(string); ok && event.Type == p.Type && f.Values == nil {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// List returns the newest messages of a filter, newest first: at most limit, 100 for 0. CodeInvalid.
func (o *Outbox) List(f Filter, limit int) ([]Message, error) {
	if limit < 0 || limit > o.cfg.Messages {
		return nil, engine.Errorf(engine.CodeInvalid, "ListWebhooks", "limit must be a number from 1 to %d.", o.cfg.Messages)
	}
	if limit == 0 {
		limit = min(100, o.cfg.Messages)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	found := []Message{}
	for _, m := range slices.Backward(o.messages) {
		if len(found) == limit {
			break
		}
		if f.matches(m) {
			found = append(found, m.snapshot())
		}
	}
	return found, nil
}

// Get returns a message. CodeNotFound, also when it is too old to be kept.
func (o *Outbox) Get(id string) (Message, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m, err := o.get(id)
	if err != nil {
		return Message{}, err
	}
	return m.snapshot(), nil
}

func (o *Outbox) get(id string) (*message, error) {
	m, ok := o.byID[id]
	if !ok {
		return nil, engine.Errorf(engine.CodeNotFound, "Outbox", "No message with this id is in the outbox.").
			WithHint("GET /_soundstage/webhooks/outbox lists the newest.")
	}
	return m, nil
}

// tried returns the messages of a filter that have a try, oldest first; mu is held.
func (o *Outbox) tried(f Filter) []Message {
	found := []Message{}
	for _, m := range o.messages {
		if m.seq > 0 && f.matches(m) {
			found = append(found, m.snapshot())
		}
	}
	return found
}

// keep adds a message, and forgets the oldest when there are too many; mu is held.
func (o *Outbox) keep(m *message) *message {
	m.CreatedAt = time.Now().UTC()
	if ids := idsIn([]byte(m.Body)); len(ids) > 0 {
		m.Resource = ids[0]
	}
	o.byID[m.ID] = m
	o.messages = append(o.messages, m)
	if len(o.messages) > o.cfg.Messages {
		delete(o.byID, o.messages[0].ID)
		o.messages = slices.Delete(o.messages, 0, 1)
	}
	return m
}

// of returns the message of a delivery; mu is held.
func (o *Outbox) of(id engine.DeliveryID, hook engine.WebhookID, event engine.EventType, eventID string, body []byte) *message {
	if m, ok := o.byID[string(id)]; ok {
		return m
	}
	return o.keep(&message{Message: Message{ID: string(id), Webhook: hook, Event: event, EventID: eventID, Body: string(body)}})
}

// responseOf is an answer as it is shown.
func responseOf(res engine.SendResponse) *Response {
	r := &Response{Status: res.Status, Headers: []Header{}}
	names := make([]string, 0, len(res.Header))
	for name := range res.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range res.Header[name] {
			r.Headers = append(r.Headers, Header{name, value})
		}
	}
	body := res.Body[:min(len(res.Body), maxResponse)]
	r.Body = strings.ToValidUTF8(string(body), "\uFFFD")
	if !utf8.Valid(body) {
		r.BodyBase64 = base64.StdEncoding.EncodeToString(body)
	}
	return r
}

const maxResponse = 2 << 10 // bytes of an answer's body that are kept
