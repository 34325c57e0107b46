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

// Kind says who made an attempt.
type Kind string

const (
	KindDelivery  Kind = "delivery"  // the engine: a first attempt, a retry or a replay
	KindTrigger   Kind = "trigger"   // Trigger with a URL
	KindResend    Kind = "resend"    // Resend
	KindDuplicate Kind = "duplicate" // Duplicate, or a fault
	KindCorrupt   Kind = "corrupt"   // Corrupt
)

// Message is one event for one webhook.
type Message struct {
	ID        string           `json:"id"`                   // of the engine's delivery, or "direct-1" for Trigger with a URL
	Webhook   engine.WebhookID `json:"webhook_id,omitempty"` // "" for Trigger with a URL
	Event     engine.EventType `json:"event"`
	EventID   string           `json:"event_id"` // the header webhook-id
	Resource  string           `json:"resource"` // id of the output, else of the recording
	URL       string           `json:"url"`      // of the newest attempt; "" before the first
	Body      string           `json:"body"`     // exact JSON
	Status    Status           `json:"status"`
	CreatedAt time.Time        `json:"created_at"`
	Attempts  []Attempt        `json:"attempts"` // oldest first; at most the newest MaxAttempts
}

// MaxAttempts is how many attempts of a message are kept.
const MaxAttempts = 50

// Attempt is one attempt to send a message, as it went over the network.
type Attempt struct {
	Number     int        `json:"number"` // from 1, in order of completion
	Kind       Kind       `json:"kind"`
	Corrupted  Corruption `json:"corrupted,omitempty"` // only for KindCorrupt
	At         time.Time  `json:"at"`                  // wall clock
	DurationMS int64      `json:"duration_ms"`
	Request    Request    `json:"request"`
	Response   *Response  `json:"response"`        // null without a response
	Error      string     `json:"error,omitempty"` // why there is no response
}

// OK reports whether the response has a 2xx status.
func (a Attempt) OK() bool {
	return a.Response != nil && a.Response.Status >= 200 && a.Response.Status < 300
}

// Request is what was sent. Without a connection, it is what would have been sent.
type Request struct {
	Line    string   `json:"line"`    // "POST /hook HTTP/1.1"
	Headers []Header `json:"headers"` // in the order written
	Body    string   `json:"body"`    // exact bytes
	Signed  string   `json:"signed"`  // the text that a valid signature covers: "id.timestamp.body"
}

// Header is one header line.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Response is the receiver's response.
type Response struct {
	Status     int      `json:"status"`
	Headers    []Header `json:"headers"` // ordered by name
	Body       string   `json:"body"`    // first 2 KiB
	BodyBase64 string   `json:"body_base64,omitempty"`
}

// Event is a completed attempt in a stream.
type Event struct {
	Message Message `json:"message"` // its state after the attempt, without Attempts
	Attempt Attempt `json:"attempt"`
	Missed  int     `json:"missed,omitempty"` // attempts skipped before this one because the stream was too slow
}

// message is a Message with the data to send it again.
type message struct {
	Message
	seq      int                 // number of completed attempts
	sent     int                 // number of completed attempts of the engine
	last     *engine.SendRequest // the newest regular request
	secret   string              // for a message without a webhook
	held     int                 // number of held attempts
	inFlight int                 // number of attempts in flight
	ok       bool                // whether the newest completed attempt had a 2xx response
}

// Filter selects messages. An empty field matches everything.
type Filter struct {
	Event    engine.EventType `json:"event,omitempty"`
	EventID  string           `json:"event_id,omitempty"`
	Webhook  engine.WebhookID `json:"webhook,omitempty"`
	Resource string           `json:"resource,omitempty"` // any id in the data: of the recording, output, space, or prompt
}

// Validate returns CodeInvalid for an unknown event.
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

// unknownEvent returns an error whose hint lists every event.
func unknownEvent(event engine.EventType) error {
	var all []string
	for _, e := range engine.EventTypes() {
		all = append(all, string(e))
	}
	slices.Sort(all)
	return engine.Errorf(engine.CodeInvalid, "Webhooks", "There is no event %q.", event).WithHint("The events are " + strings.Join(all, ", ") + ".")
}

// idsIn returns the ids in a payload, first that of the event's resource.
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

// List returns the newest messages that match a filter, newest first. limit is at most Config.Messages; 0 means 100. CodeInvalid
// for another limit.
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

// Get returns a message. CodeNotFound when it is unknown or no longer kept.
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
			WithHint("List the newest messages with GET /_soundstage/webhooks/outbox.")
	}
	return m, nil
}

// attempted returns the messages that match a filter and have a completed attempt, oldest first. The caller holds mu.
func (o *Outbox) attempted(f Filter) []Message {
	found := []Message{}
	for _, m := range o.messages {
		if m.seq > 0 && f.matches(m) {
			found = append(found, m.snapshot())
		}
	}
	return found
}

// add adds a message, and drops the oldest when there are too many. The caller holds mu.
func (o *Outbox) add(m *message) *message {
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

// messageOf returns a delivery's message, and adds it if necessary. The caller holds mu.
func (o *Outbox) messageOf(id engine.DeliveryID, hook engine.WebhookID, event engine.EventType, eventID string, body []byte) *message {
	if m, ok := o.byID[string(id)]; ok {
		return m
	}
	return o.add(&message{Message: Message{ID: string(id), Webhook: hook, Event: event, EventID: eventID, Body: string(body)}})
}

// responseOf converts a response for the log.
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

const maxResponse = 2 << 10 // bytes of a response body that are kept
