package emulatortest

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// Webhooks is the webhook laboratory of a world. What can't be done is fatal to the test.
type Webhooks struct{ world *World }

// Outbox is the laboratory itself: every message with its tries, byte for byte. Reset replaces it.
func (h Webhooks) Outbox() *outbox.Outbox {
	h.world.t.Helper()
	return h.world.Control().Webhooks()
}

// Sink makes a webhook of the world's first user whose receiver is in the process itself and answers 200, for events, or all of them.
func (h Webhooks) Sink(events ...engine.EventType) *Sink {
	h.world.t.Helper()
	return h.SinkOf(outbox.Sink{Events: events})
}

// SinkOf is Sink with a secret of the test's own or other answers: 500, 500 and then 200, for example.
func (h Webhooks) SinkOf(s outbox.Sink) *Sink {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/sink", s)
	sub, err := h.Outbox().Subscribe(context.Background(), s)
	done(200, err)
	h.world.must("the sink can't be made", err)
	return &Sink{Subscription: sub, webhooks: h}
}

// Messages returns the messages of a filter, the newest 100 at most, the oldest first.
func (h Webhooks) Messages(f outbox.Filter) []outbox.Message {
	h.world.t.Helper()
	found, err := h.Outbox().List(f, 0)
	h.world.must("the outbox", err)
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// Wait returns when count messages of an event, "" for any, were tried, with all of them, the oldest first. That
// it takes longer than WithWaitLimit is fatal.
func (h Webhooks) Wait(event engine.EventType, count int) []outbox.Message {
	h.world.t.Helper()
	return h.wait(outbox.Filter{Event: event}, count)
}

func (h Webhooks) wait(f outbox.Filter, count int) []outbox.Message {
	h.world.t.Helper()
	h.world.must("waiting for webhooks", f.Validate())
	found, err := h.Outbox().Wait(context.Background(), f, count, h.world.server.limit)
	if err != nil {
		h.world.t.Fatalf("waiting for webhooks: %s", engine.Message(err))
	}
	return found
}

// Hold keeps back what has not been tried yet, and what comes, until Release.
func (h Webhooks) Hold(f outbox.Filter) outbox.HoldState {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/hold", f)
	state, err := h.Outbox().Hold(f)
	done(200, err)
	h.world.must("holding webhooks", err)
	return state
}

// WaitHeld returns when n messages are held.
func (h Webhooks) WaitHeld(n int) {
	h.world.t.Helper()
	ctx, cancel := h.world.limited()
	defer cancel()
	if err := h.Outbox().WaitHeld(ctx, n); err != nil {
		h.world.t.Fatalf("of %d webhooks %d are held: %s", n, len(h.Outbox().Holding().Held), engine.Message(err))
	}
}

// Release sends what is held, in order of arrival, and tells how many that are. With ids it sends these messages only, in their order, and
// holds the others.
func (h Webhooks) Release(ids ...string) int {
	h.world.t.Helper()
	if len(ids) == 0 {
		done := h.world.note("POST", "webhooks/release", nil)
		defer done(200, nil)
		return h.Outbox().Release()
	}
	done := h.world.note("POST", "webhooks/reorder", map[string]any{"ids": ids})
	err := h.Outbox().ReleaseInOrder(ids)
	done(200, err)
	h.world.must("releasing webhooks", err)
	return len(ids)
}

// Reorder keeps the next count messages back until it has them all, and sends them the newest first.
func (h Webhooks) Reorder(count int) {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/reorder", map[string]any{"count": count})
	err := h.Outbox().Reorder(count)
	done(200, err)
	h.world.must("reordering webhooks", err)
}

// Resend sends the same bytes of a message, by its id, once more, and returns that try.
func (h Webhooks) Resend(id string) outbox.Attempt {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/outbox/"+url.PathEscape(id)+"/resend", nil)
	try, err := h.Outbox().Resend(context.Background(), id, false)
	done(200, err)
	h.world.must("resending the webhook "+id, err)
	return try
}

// Duplicate sends the same bytes of a message twice at once.
func (h Webhooks) Duplicate(id string) []outbox.Attempt {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/outbox/"+url.PathEscape(id)+"/duplicate", nil)
	tries, err := h.Outbox().Duplicate(context.Background(), id)
	done(200, err)
	h.world.must("duplicating the webhook "+id, err)
	return tries
}

// Corrupt sends a copy of a message that a receiver must refuse: whether it did is in the answer of the try.
func (h Webhooks) Corrupt(id string, what outbox.What) outbox.Attempt {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/outbox/"+url.PathEscape(id)+"/corrupt", map[string]any{"what": what})
	try, err := h.Outbox().Corrupt(context.Background(), id, what)
	done(200, err)
	h.world.must("corrupting the webhook "+id, err)
	return try
}

// Trigger sends an event of something that didn't happen to every webhook that wants it, or to a URL.
func (h Webhooks) Trigger(t outbox.Trigger) outbox.Triggered {
	h.world.t.Helper()
	done := h.world.note("POST", "webhooks/trigger", map[string]any{
		"event": t.Event, "resource": t.Resource, "space_id": t.SpaceID, "overrides": t.Overrides, "url": t.URL, "secret": t.Secret,
	})
	triggered, err := h.Outbox().Trigger(context.Background(), t)
	done(200, err)
	h.world.must("triggering a webhook", err)
	return triggered
}

// SetPolicy says what becomes of the next tries: delayed, lost, or failed.
func (h Webhooks) SetPolicy(p outbox.Policy) {
	h.world.t.Helper()
	done := h.world.note("PUT", "webhooks/policy", p)
	_, err := h.Outbox().SetPolicy(p)
	done(200, err)
	h.world.must("the policy of webhooks", err)
}

// Sink is a webhook whose receiver is in the process itself.
type Sink struct {
	outbox.Subscription // its webhook's id, URL, events and secret

	webhooks Webhooks
}

// Wait returns when count messages to the sink were tried, with all of them, the oldest first.
func (s *Sink) Wait(count int) []outbox.Message {
	s.webhooks.world.t.Helper()
	return s.webhooks.wait(outbox.Filter{Webhook: s.Webhook}, count)
}

// Messages returns the messages to the sink, the newest 100 at most, the oldest first.
func (s *Sink) Messages() []outbox.Message {
	s.webhooks.world.t.Helper()
	return s.webhooks.Messages(outbox.Filter{Webhook: s.Webhook})
}

// Verify does to a try what a receiver does: it checks the signature of the body, and that it is of the last five minutes where messages
// are signed with the wall's time. It returns why a receiver would refuse it.
func (s *Sink) Verify(a outbox.Attempt) error {
	s.webhooks.world.t.Helper()
	verifier, err := standardwebhooks.NewWebhook(s.Secret)
	if err != nil {
		return err
	}
	header := http.Header{}
	for _, h := range a.Request.Headers {
		header.Add(h.Name, h.Value)
	}
	verify := verifier.Verify
	if s.webhooks.Outbox().Policy().Timestamp == outbox.TimestampVirtual {
		verify = verifier.VerifyIgnoringTimestamp
	}
	return verify([]byte(a.Request.Body), header)
}

// Verified checks that the newest try of every message would be taken by a receiver, and fails the test where not.
func (s *Sink) Verified(messages []outbox.Message) {
	s.webhooks.world.t.Helper()
	for _, m := range messages {
		err := errors.New("it was never tried")
		if n := len(m.Attempts); n > 0 {
			err = s.Verify(m.Attempts[n-1])
		}
		if err != nil {
			s.webhooks.world.t.Errorf("the webhook %s (%s) would be refused: %v", m.ID, m.Event, err)
		}
	}
}

// Close deletes the webhook; what the outbox has of it stays.
func (s *Sink) Close() {
	s.webhooks.world.t.Helper()
	done := s.webhooks.world.note("DELETE", "webhooks/sink/"+url.PathEscape(string(s.Webhook)), nil)
	err := s.webhooks.Outbox().Unsubscribe(context.Background(), s.Webhook)
	done(200, err)
	s.webhooks.world.must("closing the sink", err)
}
