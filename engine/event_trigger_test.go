package engine_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

func overrides(kv ...string) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	for i := 0; i < len(kv); i += 2 {
		m[kv[i]] = json.RawMessage(kv[i+1])
	}
	return m
}

// An event that is asked for is as a real one: with the ids that were given, to whoever wants it, signed and logged.
func TestTriggerEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(500, 200))
		w, secret := s.hook(engine.NewWebhook{})
		s.hook(engine.NewWebhook{Events: []engine.EventType{engine.EventOutputCompleted}})
		sent, err := s.TriggerEvent(t.Context(), engine.EventTrigger{
			Event: engine.EventTranscriptCompleted, SpaceID: s.caller.DefaultSpaceID, Resource: "rec-1",
			Overrides: overrides("transcript_status", `"error"`, "timestamp", `"2026-01-02T15:04:05Z"`),
		})
		require.NoError(t, err)
		require.Len(t, sent, 1)
		time.Sleep(time.Minute)
		require.Len(t, s.sent(), 2, "it is tried again")
		require.Equal(t, `{"type":"transcript.completed","timestamp":"2026-01-02T15:04:05Z","data":{"recording_id":"rec-1","space_id":"`+
			string(s.caller.DefaultSpaceID)+`","transcript_status":"error"}}`, string(s.sent()[1].Body))
		require.True(t, verifies(t, secret, s.sent()[1]))
		require.Equal(t, engine.DeliveryDelivered, s.delivery(w.ID).Status)
		_, err = s.TriggerEvent(t.Context(), engine.EventTrigger{Event: engine.EventTranscriptCompleted, SpaceID: "nowhere"})
		requireCode(t, engine.CodeNotFound, err)
	})
}

// An event that the contract doesn't have is refused, with what there is.
func TestTriggerRefuses(t *testing.T) {
	t.Parallel()
	e, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs()})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		event engine.EventType
		over  map[string]json.RawMessage
		says  string
	}{
		"unknown event":    {"recording.deleted", nil, `There is no event "recording.deleted".`},
		"unknown member":   {engine.EventTranscriptCompleted, overrides("output_id", `"x"`), `The event has no member "output_id".`},
		"other case":       {engine.EventTranscriptCompleted, overrides("Recording_ID", `"x"`), `The event has no member "Recording_ID".`},
		"wrong status":     {engine.EventTranscriptCompleted, overrides("transcript_status", `"done"`), "transcript_status must be one of completed, error, processing, queued."},
		"number":           {engine.EventOutputCompleted, overrides("data.output_id", "7"), "output_id must be text, not number."},
		"null":             {engine.EventOutputCompleted, overrides("recording_id", "null"), "recording_id must be a text that is not empty."},
		"wrong type":       {engine.EventOutputCompleted, overrides("output_type", `"poem"`), "output_type must be one of chapters, dynamic, episode_overview, key_topics, quotes, social_posts."},
		"wrong output":     {engine.EventOutputCompleted, overrides("status", `"error"`), "status must be one of canceled, completed, failed, queued, retrying."},
		"timestamp":        {engine.EventOutputCompleted, overrides("timestamp", `"yesterday"`), "timestamp must be a time like 2026-01-02T15:04:05Z."},
		"number timestamp": {engine.EventOutputCompleted, overrides("timestamp", "12"), "timestamp must be a time like 2026-01-02T15:04:05Z."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := e.EventBody(engine.EventTrigger{Event: c.event, SpaceID: "s", Overrides: c.over})
			requireCode(t, engine.CodeInvalid, err)
			require.Equal(t, c.says, engine.Message(err))
		})
	}
	body, err := e.EventBody(engine.EventTrigger{Event: engine.EventOutputCompleted, Overrides: overrides("prompt_id", "null")})
	require.NoError(t, err)
	require.Contains(t, string(body), `"prompt_id":null`)
}

// gated is a sender whose deliveries may begin when somebody says so.
type gated struct {
	*recorder
	open, over chan struct{}
}

func (g *gated) Pass(ctx context.Context, _ engine.Delivery, _ func(bool)) (func(), error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-g.open:
		return func() { g.over <- struct{}{} }, nil
	}
}

// A delivery that waits at the gate for hours is no failed try: nothing is logged of it, its job keeps its lease, and what is sent is
// as the webhook is then. A shutdown gives it back; one that is deleted there is not sent.
func TestDeliveryGate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := &gated{&recorder{post: replies(200)}, make(chan struct{}), make(chan struct{}, 9)}
		s := &hookStage{stage: newStage(t, engine.Config{Sender: g}), recorder: g.recorder}
		stop := s.start()
		w, _ := s.hook(engine.NewWebhook{})
		s.test(w.ID)
		time.Sleep(5 * time.Hour)
		require.Empty(t, s.sent())
		require.Equal(t, engine.DeliveryPending, s.delivery(w.ID).Status)
		stop()
		require.Empty(t, s.delivery(w.ID).Attempts)
		stop = s.start()
		url := "https://new.example/"
		_, err := s.UpdateWebhook(t.Context(), s.caller, w.ID, engine.WebhookChange{URL: &url})
		require.NoError(t, err)
		g.open <- struct{}{}
		<-g.over
		synctest.Wait()
		require.Equal(t, url, s.sent()[0].URL)
		require.Equal(t, s.delivery(w.ID).ID, s.sent()[0].Delivery)
		require.Len(t, s.delivery(w.ID).Attempts, 1)
		s.test(w.ID)
		synctest.Wait()
		require.NoError(t, s.DeleteWebhook(t.Context(), s.caller, w.ID))
		g.open <- struct{}{}
		<-g.over
		require.Len(t, s.sent(), 1)
		stop()
	})
}
