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

// Webhooks controls a world's webhooks. An action that can't be done fails the test immediately.
type Webhooks struct{ world *World }

// Outbox returns the underlying outbox with every message and attempt. Reset replaces it.
func (h Webhooks) Outbox() *outbox.Outbox {
	h.world.t.Helper()
	return h.world.Control().Webhooks()
}

// Sink creates a webhook of the world's first user with a receiver in the process that responds with 200. The default is all
// events.
func (h Webhooks) Sink(events ...engine.EventType) *Sink {
	h.world.t.Helper()
	return h.SinkOf(outbox.Sink{Events: events})
}

// SinkOf creates a Sink with a custom secret or other responses, such as 500, 500, 200.
func (h Webhooks) SinkOf(s outbox.Sink) *Sink {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/sink", s)
	sub, err := h.Outbox().Subscribe(context.Background(), s)
	done(200, err)
	h.world.must("the sink can't be created", err)
	return &Sink{Subscription: sub, webhooks: h}
}

// Messages returns the newest 100 messages that match a filter, oldest first.
func (h Webhooks) Messages(f outbox.Filter) []outbox.Message {
	h.world.t.Helper()
	found, err := h.Outbox().List(f, 0)
	h.world.must("the outbox", err)
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// Wait returns all messages of an event ("" means any) with a completed attempt, oldest first, when there are at least count. The
// test fails immediately after the WithWaitLimit.
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

// Hold holds messages whose attempt has not begun, and later ones, until Release.
func (h Webhooks) Hold(f outbox.Filter) outbox.HoldState {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/hold", f)
	state, err := h.Outbox().Hold(f)
	done(200, err)
	h.world.must("holding webhooks", err)
	return state
}

// WaitHeld returns when n messages are held.
func (h Webhooks) WaitHeld(n int) {
	h.world.t.Helper()
	ctx, cancel := h.world.waitContext()
	defer cancel()
	if err := h.Outbox().WaitHeld(ctx, n); err != nil {
		h.world.t.Fatalf("%d of %d webhooks are held: %s", len(h.Outbox().Holding().Held), n, engine.Message(err))
	}
}

// Release sends the held messages in order of arrival and returns their number. With ids, it sends only these, in this order, and
// keeps holding the others.
func (h Webhooks) Release(ids ...string) int {
	h.world.t.Helper()
	if len(ids) == 0 {
		done := h.world.record("POST", "webhooks/release", nil)
		defer done(200, nil)
		return h.Outbox().Release()
	}
	done := h.world.record("POST", "webhooks/reorder", map[string]any{"ids": ids})
	err := h.Outbox().ReleaseInOrder(ids)
	done(200, err)
	h.world.must("releasing webhooks", err)
	return len(ids)
}

// Reorder holds the next count messages, then sends them newest first.
func (h Webhooks) Reorder(count int) {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/reorder", map[string]any{"count": count})
	err := h.Outbox().Reorder(count)
	done(200, err)
	h.world.must("reordering webhooks", err)
}

// Resend sends a message's bytes once more and returns the attempt.
func (h Webhooks) Resend(id string) outbox.Attempt {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/outbox/"+url.PathEscape(id)+"/resend", nil)
	attempt, err := h.Outbox().Resend(context.Background(), id, false)
	done(200, err)
	h.world.must("resending the webhook "+id, err)
	return attempt
}

// Duplicate sends a message's bytes twice, concurrently.
func (h Webhooks) Duplicate(id string) []outbox.Attempt {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/outbox/"+url.PathEscape(id)+"/duplicate", nil)
	attempts, err := h.Outbox().Duplicate(context.Background(), id)
	done(200, err)
	h.world.must("duplicating the webhook "+id, err)
	return attempts
}

// Corrupt sends a copy of a message that a receiver must reject. The attempt's response shows whether it did.
func (h Webhooks) Corrupt(id string, what outbox.Corruption) outbox.Attempt {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/outbox/"+url.PathEscape(id)+"/corrupt", map[string]any{"what": what})
	attempt, err := h.Outbox().Corrupt(context.Background(), id, what)
	done(200, err)
	h.world.must("corrupting the webhook "+id, err)
	return attempt
}

// Trigger sends an event to every subscribed webhook or to a URL, although nothing happened.
func (h Webhooks) Trigger(t outbox.Trigger) outbox.Triggered {
	h.world.t.Helper()
	done := h.world.record("POST", "webhooks/trigger", map[string]any{
		"event": t.Event, "resource": t.Resource, "space_id": t.SpaceID, "overrides": t.Overrides, "url": t.URL, "secret": t.Secret,
	})
	triggered, err := h.Outbox().Trigger(context.Background(), t)
	done(200, err)
	h.world.must("triggering a webhook", err)
	return triggered
}

// SetPolicy delays, drops, or fails the next attempts.
func (h Webhooks) SetPolicy(p outbox.Policy) {
	h.world.t.Helper()
	done := h.world.record("PUT", "webhooks/policy", p)
	_, err := h.Outbox().SetPolicy(p)
	done(200, err)
	h.world.must("setting the webhook policy", err)
}

// Sink is a webhook with a receiver in the process.
type Sink struct {
	outbox.Subscription // its webhook's id, URL, events, and secret

	webhooks Webhooks
}

// Wait returns all messages to the sink with a completed attempt, oldest first, when there are at least count.
func (s *Sink) Wait(count int) []outbox.Message {
	s.webhooks.world.t.Helper()
	return s.webhooks.wait(outbox.Filter{Webhook: s.Webhook}, count)
}

// Messages returns the newest 100 messages to the sink, oldest first.
func (s *Sink) Messages() []outbox.Message {
	s.webhooks.world.t.Helper()
	return s.webhooks.Messages(outbox.Filter{Webhook: s.Webhook})
}

// Verify checks an attempt as a receiver does: the signature and, unless the virtual clock signs, that the timestamp is within
// five minutes. It returns why a receiver would reject the attempt.
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

// Verified fails the test for messages whose newest attempt a receiver would reject.
func (s *Sink) Verified(messages []outbox.Message) {
	s.webhooks.world.t.Helper()
	for _, m := range messages {
		err := errors.New("no attempt was made")
		if n := len(m.Attempts); n > 0 {
			err = s.Verify(m.Attempts[n-1])
		}
		if err != nil {
			s.webhooks.world.t.Errorf("the webhook %s (%s) would be rejected: %v", m.ID, m.Event, err)
		}
	}
}

// Close deletes the webhook. The outbox keeps its messages.
func (s *Sink) Close() {
	s.webhooks.world.t.Helper()
	done := s.webhooks.world.record("DELETE", "webhooks/sink/"+url.PathEscape(string(s.Webhook)), nil)
	err := s.webhooks.Outbox().Unsubscribe(context.Background(), s.Webhook)
	done(200, err)
	s.webhooks.world.must("closing the sink", err)
}
