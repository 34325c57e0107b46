package outbox_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// A sink answers with its status codes in turn; the last one repeats. Only its events reach it.
func TestSink(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		sub, err := s.Subscribe(t.Context(), outbox.Sink{Events: []engine.EventType{engine.EventTranscriptCompleted}, Status: []int{100, 599, 204}})
		require.NoError(t, err)
		require.Equal(t, []engine.EventType{engine.EventTranscriptCompleted}, sub.Events)
		require.Equal(t, "https://sink.soundstage.invalid/?answer=100,599,204", sub.URL)
		id := s.trigger("rec-1")
		time.Sleep(2 * time.Hour) // one retry
		for range 2 {
			_, err := s.Resend(t.Context(), id, false)
			require.NoError(t, err)
		}
		m, err := s.Get(id)
		require.NoError(t, err)
		var got []int
		for _, a := range m.Attempts {
			got = append(got, a.Response.Status)
		}
		require.Equal(t, []int{100, 599, 204, 204}, got)
		done, err := s.Trigger(t.Context(), outbox.Trigger{Event: engine.EventOutputCompleted})
		require.NoError(t, err)
		require.Empty(t, done.Messages)
		require.Empty(t, s.net.resources(), "a sink needs no network")

		other, err := s.Subscribe(t.Context(), outbox.Sink{})
		require.NoError(t, err)
		require.ElementsMatch(t, engine.EventTypes(), other.Events)
		require.NoError(t, s.Unsubscribe(t.Context(), sub.Webhook))
		requireCode(t, engine.CodeNotFound, s.Unsubscribe(t.Context(), sub.Webhook))
		w, _ := s.hook()
		requireCode(t, engine.CodeNotFound, s.Unsubscribe(t.Context(), w.ID))
		hooks, err := s.engine.ListWebhooks(t.Context(), s.owner)
		require.NoError(t, err)
		require.Len(t, hooks, 2)
	})
}

// secretOf returns a signing secret of n bytes.
func secretOf(n int) string {
	return "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", n)))
}

// Subscribe and Listen check their arguments, and sign with the given secret.
func TestSubscribeErrors(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		for _, sink := range []outbox.Sink{
			{Status: []int{99}}, {Status: []int{600}}, {Status: []int{0}}, {Events: []engine.EventType{"output.deleted"}},
			{Secret: "whsec_x"}, {Secret: secretOf(23)}, {Secret: secretOf(65)}, {Secret: strings.TrimPrefix(secretOf(24), "whsec_")},
			{Status: repeat(200, 101)},
		} {
			_, err := s.Subscribe(t.Context(), sink)
			requireCode(t, engine.CodeInvalid, err)
		}
		_, err := s.Listen(t.Context(), nil, secretOf(23))
		requireCode(t, engine.CodeInvalid, err)
		hooks, err := s.engine.ListWebhooks(t.Context(), s.owner)
		require.NoError(t, err)
		require.Empty(t, hooks)
		for _, n := range []int{24, 64} {
			sub, err := s.Subscribe(t.Context(), outbox.Sink{Secret: secretOf(n), Status: repeat(200, 100)})
			require.NoError(t, err)
			require.Equal(t, secretOf(n), sub.Secret)
		}
		for _, at := range []string{"?answer=2x0", "?answer=", "?reply=200", "?answer=200&b=1", "?answer=%zz"} {
			requireCode(t, engine.CodeInvalid, s.Check(t.Context(), "https://sink.soundstage.invalid/"+at))
		}
		require.NoError(t, s.Check(t.Context(), "https://SINK.soundstage.invalid/?answer=200"))
		requireCode(t, engine.CodeInvalid, s.Check(t.Context(), "https://listen.soundstage.invalid/"))
	})
	unattached := outbox.New(outbox.Config{Sender: &network{}})
	_, err := unattached.Subscribe(t.Context(), outbox.Sink{})
	requireCode(t, engine.CodeUnavailable, err)
	requireCode(t, engine.CodeUnavailable, unattached.Unsubscribe(t.Context(), "w"))
	_, err = unattached.Trigger(t.Context(), outbox.Trigger{Event: engine.EventOutputCompleted})
	requireCode(t, engine.CodeUnavailable, err)
}

func repeat(status, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = status
	}
	return all
}

// A listener's answers and failures are those of the attempt. Each request is answered once.
func TestListenerAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		l, err := s.Listen(t.Context(), []engine.EventType{engine.EventTranscriptCompleted}, secretOf(32))
		require.NoError(t, err)
		require.Equal(t, secretOf(32), l.Secret)
		found, err := s.Listener(l.Webhook)
		require.NoError(t, err)
		require.Same(t, l, found)
		answer := func(id string, status int, failure string) outbox.Attempt {
			t.Helper()
			r, err := l.Next(t.Context())
			require.NoError(t, err)
			require.Equal(t, id, r.Message)
			require.Equal(t, "rec-1", r.Resource)
			require.Contains(t, r.Request.Body, `"recording_id":"rec-1"`)
			require.NoError(t, l.Answer(r.ID, engine.SendResponse{Status: status}, failure))
			requireCode(t, engine.CodeNotFound, l.Answer(r.ID, engine.SendResponse{Status: status}, failure))
			synctest.Wait()
			m, err := s.Get(id)
			require.NoError(t, err)
			return m.Attempts[len(m.Attempts)-1]
		}
		require.Equal(t, 100, answer(s.trigger("rec-1"), 100, "").Response.Status)
		require.Equal(t, 599, answer(s.trigger("rec-1"), 599, "").Response.Status)
		failed := answer(s.trigger("rec-1"), 0, "The line is cut.")
		require.Nil(t, failed.Response)
		require.Equal(t, "The line is cut.", failed.Error)
		for _, status := range []int{99, 600} {
			requireCode(t, engine.CodeInvalid, l.Answer("1", engine.SendResponse{Status: status}, ""))
		}
		began := time.Now()
		time.AfterFunc(time.Minute, func() { _ = l.Close(t.Context()) })
		require.NoError(t, s.WaitSubscriptionEnd(t.Context(), l.Webhook))
		require.Equal(t, time.Minute, time.Since(began))
		_, err = s.Listener(l.Webhook)
		requireCode(t, engine.CodeNotFound, err)
		require.NoError(t, s.WaitSubscriptionEnd(t.Context(), "nothing"))
	})
}
