package outbox_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// send sends one attempt of a delivery without an engine.
func send(t *testing.T, o *outbox.Outbox, id, webhook, event, eventID, body string) {
	t.Helper()
	_, err := o.Send(t.Context(), engine.SendRequest{
		URL: "https://receiver.example/", Delivery: engine.DeliveryID(id), Webhook: engine.WebhookID(webhook), Event: engine.EventType(event),
		Header: map[string]string{"webhook-id": eventID, "webhook-timestamp": "12"}, Body: []byte(body),
	})
	require.NoError(t, err)
}

// Each field of a Filter selects messages. A resource is any id in the data that the contract defines for the event.
func TestFilter(t *testing.T) {
	t.Parallel()
	o := outbox.New(outbox.Config{Sender: &network{}})
	send(t, o, "d1", "w1", "transcript.completed", "e1", `{"type":"transcript.completed","data":{"recording_id":"r1","space_id":"s1","transcript_status":"completed"}}`)
	send(t, o, "d2", "w2", "transcript.completed", "e1", `{"type":"transcript.completed","data":{"recording_id":"r2","output_id":"o2"}}`)
	send(t, o, "d3", "w1", "output.completed", "e3", `{"type":"output.completed","data":{"output_id":"o3","recording_id":"r1","prompt_id":"p1"}}`)
	send(t, o, "d4", "w1", "output.completed", "e4", `no JSON`)
	for _, c := range []struct {
		filter outbox.Filter
		want   []string // newest first
	}{
		{outbox.Filter{}, []string{"d4", "d3", "d2", "d1"}},
		{outbox.Filter{Event: "transcript.completed"}, []string{"d2", "d1"}},
		{outbox.Filter{EventID: "e1"}, []string{"d2", "d1"}},
		{outbox.Filter{Webhook: "w1"}, []string{"d4", "d3", "d1"}},
		{outbox.Filter{Resource: "r1"}, []string{"d3", "d1"}},
		{outbox.Filter{Resource: "r2"}, []string{"d2"}},
		{outbox.Filter{Resource: "s1"}, []string{"d1"}},
		{outbox.Filter{Resource: "p1"}, []string{"d3"}},
		{outbox.Filter{Resource: "o2"}, nil},
		{outbox.Filter{Resource: "completed"}, nil},
		{outbox.Filter{Event: "output.completed", EventID: "e1"}, nil},
		{outbox.Filter{Event: "transcript.completed", EventID: "e1", Webhook: "w1", Resource: "r1"}, []string{"d1"}},
		{outbox.Filter{Webhook: "w2", Resource: "r1"}, nil},
	} {
		found, err := o.List(c.filter, 0)
		require.NoError(t, err)
		var ids []string
		for _, m := range found {
			ids = append(ids, m.ID)
		}
		require.Equal(t, c.want, ids, "%+v", c.filter)
	}
	for id, want := range map[string]string{"d1": "r1", "d2": "r2", "d3": "o3", "d4": ""} {
		m, err := o.Get(id)
		require.NoError(t, err)
		require.Equal(t, want, m.Resource, id)
	}
	for _, err := range []error{
		outbox.Filter{Event: "output.deleted"}.Validate(),
		func() error { _, err := o.Hold(outbox.Filter{Event: "output.deleted"}); return err }(),
		o.Follow(t.Context(), outbox.Filter{Event: "output.deleted"}, nil, nil),
	} {
		requireCode(t, engine.CodeInvalid, err)
	}
}

// List returns at most limit messages, 100 by default. A message is a copy: a change of it doesn't reach the outbox.
func TestList(t *testing.T) {
	t.Parallel()
	o := outbox.New(outbox.Config{Sender: &network{}, Messages: 120})
	for i := range 110 {
		send(t, o, string(rune('A'+i)), "w", "output.completed", "e", "{}")
	}
	for limit, want := range map[int]int{0: 100, 1: 1, 110: 110, 120: 110} {
		found, err := o.List(outbox.Filter{}, limit)
		require.NoError(t, err)
		require.Len(t, found, want)
		require.Equal(t, string(rune('A'+109)), found[0].ID)
	}
	for _, limit := range []int{-1, 121} {
		_, err := o.List(outbox.Filter{}, limit)
		requireCode(t, engine.CodeInvalid, err)
	}
	m, err := o.Get("A")
	require.NoError(t, err)
	require.Equal(t, 1, m.Attempts[0].Number)
	m.Attempts[0].Number = 99
	m, err = o.Get("A")
	require.NoError(t, err)
	require.Equal(t, 1, m.Attempts[0].Number)
	_, err = o.Get("nothing")
	requireCode(t, engine.CodeNotFound, err)
}

// The status of a message is that of its newest attempt, and WaitStatus waits for it.
func TestWaitStatus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		_, err := s.Subscribe(t.Context(), outbox.Sink{Status: []int{299, 300, 199}})
		require.NoError(t, err)
		_, err = s.Hold(outbox.Filter{})
		require.NoError(t, err)
		id := s.trigger("rec-1")
		require.NoError(t, s.WaitHeld(t.Context(), 1))
		require.NoError(t, s.WaitStatus(t.Context(), id, outbox.StatusHeld))
		time.AfterFunc(time.Minute, func() { s.Release() })
		began := time.Now()
		require.NoError(t, s.WaitStatus(t.Context(), id, outbox.StatusDelivered))
		require.Equal(t, time.Minute, time.Since(began))
		for range 2 {
			_, err = s.Resend(t.Context(), id, false)
			require.NoError(t, err)
			require.Equal(t, outbox.StatusFailed, s.status(id))
		}
		requireCode(t, engine.CodeNotFound, s.WaitStatus(t.Context(), "nothing", outbox.StatusFailed))
		time.AfterFunc(time.Second, s.Close)
		requireCode(t, engine.CodeCanceled, s.WaitStatus(t.Context(), id, outbox.StatusHeld))
		requireCode(t, engine.CodeCanceled, s.WaitHeld(t.Context(), 1))
	})
}
