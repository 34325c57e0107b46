package engine_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/payload"
)

// An event that a program sends is handled like a real one: sent to every subscriber, byte for byte, signed, retried, and logged.
func TestSendEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(500, 200))
		w, secret := s.hook(engine.NewWebhook{})
		s.hook(engine.NewWebhook{Events: []engine.EventType{engine.EventOutputCompleted}})
		body, err := event(engine.EventTranscriptCompleted).Body(time.Date(2026, 1, 2, 15, 4, 5, 9, time.UTC), map[string]string{
			"recording_id": "rec-1", "transcript_status": "error",
		})
		require.NoError(t, err)
		sent, err := s.SendEvent(t.Context(), s.caller.DefaultSpaceID, engine.EventTranscriptCompleted, body)
		require.NoError(t, err)
		require.Len(t, sent, 1)
		time.Sleep(time.Minute)
		require.Len(t, s.sent(), 2, "it must be retried")
		require.Equal(t, `{"type":"transcript.completed","timestamp":"2026-01-02T15:04:05Z","data":{"recording_id":"rec-1",`+
			`"space_id":"00000000-0000-0000-0000-000000000000","transcript_status":"error"}}`, string(s.sent()[1].Body))
		require.True(t, verifies(t, secret, s.sent()[1]))
		require.Equal(t, engine.DeliveryDelivered, s.delivery(w.ID).Status)

		_, err = s.SendEvent(t.Context(), "nowhere", engine.EventTranscriptCompleted, body)
		requireCode(t, engine.CodeNotFound, err)
		_, err = s.SendEvent(t.Context(), "space", "recording.deleted", body)
		require.Equal(t, `There is no event "recording.deleted".`, engine.Message(err))
		for _, wrong := range []string{"", "[]", `{"type":"output.completed"}`} {
			_, err = s.SendEvent(t.Context(), "space", engine.EventTranscriptCompleted, []byte(wrong))
			requireCode(t, engine.CodeInvalid, err)
		}
		require.Len(t, s.sent(), 2)
	})
}

func event(of engine.EventType) payload.Event {
	return engine.Events()[slices.Index(engine.EventTypes(), of)]
}

// Each event has a unique name, a summary, and data that begins with the id of its resource. Examples are valid values.
func TestEvents(t *testing.T) {
	t.Parallel()
	seen := map[engine.EventType]bool{}
	for _, e := range engine.Events() {
		require.False(t, seen[e.Type], e.Type)
		seen[e.Type] = true
		require.Regexp(t, `^[a-z]+\.[a-z]+$`, e.Type)
		require.Regexp(t, `^[A-Z].*\.$`, e.Summary)
		require.NotEmpty(t, e.Data, e.Type)
		require.Nil(t, e.Data[0].Values, e.Type)
		given := map[string]string{}
		for _, f := range e.Data {
			given[f.Name] = f.Example
		}
		body, err := e.Body(time.Unix(0, 0), nil)
		require.NoError(t, err)
		same, err := e.Body(time.Unix(0, 0), given)
		require.NoError(t, err)
		require.Equal(t, string(body), string(same))
	}
	for says, data := range map[string]map[string]string{
		`The event has no member "x".`:                                         {"x": "y"},
		"recording_id must be a non-empty string.":                             {"recording_id": ""},
		"status must be one of canceled, completed, failed, queued, retrying.": {"status": "error"},
	} {
		_, err := event(engine.EventOutputCompleted).Body(time.Time{}, data)
		requireCode(t, engine.CodeInvalid, err)
		require.Equal(t, says, engine.Message(err))
	}
}

// gated is a sender whose attempts begin when the test allows it.
type gated struct {
	*recorder
	open, over chan struct{}
}

var _ engine.DeliveryLimiter = (*gated)(nil)

func (g *gated) Acquire(ctx context.Context, _ engine.Delivery) (func(), error) {
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-g.open:
		return func() { g.over <- struct{}{} }, nil
	}
}

// An attempt that waits for hours is not a failed one: nothing is logged, its job keeps its lease, and what is sent uses the
// webhook's current state. A shutdown returns the job to the queue. A webhook that is deleted in the meantime gets nothing.
func TestDeliveryLimiter(t *testing.T) {
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
