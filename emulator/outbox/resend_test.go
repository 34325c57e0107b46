package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// headerOf returns an attempt's headers.
func headerOf(a outbox.Attempt) http.Header {
	h := http.Header{}
	for _, f := range a.Request.Headers {
		h.Add(f.Name, f.Value)
	}
	return h
}

// A receiver rejects each corrupt copy for its own reason and accepts every other one.
func TestCopies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		_, receiver := s.hook()
		id := s.trigger("rec-1")
		m, err := s.Get(id)
		require.NoError(t, err)
		first := m.Attempts[0]
		verify := func(a outbox.Attempt) error { return receiver.Verify([]byte(a.Request.Body), headerOf(a)) }
		require.NoError(t, verify(first))
		time.Sleep(time.Minute)

		same, err := s.Resend(t.Context(), id, false)
		require.NoError(t, err)
		require.Equal(t, first.Request, same.Request)
		again, err := s.Resend(t.Context(), id, true)
		require.NoError(t, err)
		require.NoError(t, verify(again))
		require.NotEqual(t, headerOf(first).Get("Webhook-Timestamp"), headerOf(again).Get("Webhook-Timestamp"))
		require.Equal(t, outbox.KindResend, again.Kind)

		for what, says := range map[outbox.Corruption]string{
			outbox.CorruptSignature: "no matching signature", outbox.CorruptBody: "no matching signature",
			outbox.CorruptID: "no matching signature", outbox.CorruptTimestamp: "too old",
		} {
			a, err := s.Corrupt(t.Context(), id, what)
			require.NoError(t, err)
			require.ErrorContains(t, verify(a), says, what)
			require.Equal(t, [2]any{outbox.KindCorrupt, what}, [2]any{a.Kind, a.Corrupted})
			require.Equal(t, what == outbox.CorruptBody, a.Request.Body != first.Request.Body, what)
			require.Equal(t, what == outbox.CorruptID, headerOf(a).Get("Webhook-Id") != headerOf(first).Get("Webhook-Id"), what)
			require.Equal(t, what == outbox.CorruptTimestamp, headerOf(a).Get("Webhook-Timestamp") != headerOf(first).Get("Webhook-Timestamp"), what)
			require.Equal(t, what == outbox.CorruptTimestamp || what == outbox.CorruptSignature,
				headerOf(a).Get("Webhook-Signature") != headerOf(first).Get("Webhook-Signature"), what)
		}
		_, err = s.Corrupt(t.Context(), id, "mood")
		requireCode(t, engine.CodeInvalid, err)
		m, err = s.Get(id)
		require.NoError(t, err)
		require.Len(t, m.Attempts, 7)
	})
}

// Messages that are unknown or unsent can't be copied. A new signature needs the webhook's secret; a copy of the old one doesn't.
func TestCopiesThatCannotBe(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		w, _ := s.hook()
		id := s.trigger("rec-1")
		_, err := s.Hold(outbox.Filter{})
		require.NoError(t, err)
		held := s.trigger("rec-2")
		copies := map[string]func(id string) error{
			"resend":    func(id string) error { _, err := s.Resend(t.Context(), id, false); return err },
			"duplicate": func(id string) error { _, err := s.Duplicate(t.Context(), id); return err },
			"corrupt":   func(id string) error { _, err := s.Corrupt(t.Context(), id, outbox.CorruptBody); return err },
		}
		for name, fn := range copies {
			require.Equal(t, engine.CodeNotFound, engine.CodeOf(fn("nothing")), name)
			require.Equal(t, engine.CodeConflict, engine.CodeOf(fn(held)), name)
		}
		require.NoError(t, s.engine.DeleteWebhook(t.Context(), s.owner, w.ID))
		for name, fn := range copies {
			require.NoError(t, fn(id), name)
		}
		_, err = s.Corrupt(t.Context(), id, outbox.CorruptTimestamp)
		requireCode(t, engine.CodeConflict, err)
	})
}

// Corrupt changes messages without an id or a valid signature, too.
func TestCorruptUnusualMessages(t *testing.T) {
	t.Parallel()
	o := outbox.New(outbox.Config{Sender: &network{}})
	for _, signature := range []string{"", "v1,", "v1,!", "v1,AAAA"} {
		_, err := o.Send(t.Context(), engine.SendRequest{
			URL: "https://receiver.example/", Delivery: "d", Header: map[string]string{"webhook-signature": signature}, Body: []byte(`{"a":1}`),
		})
		require.NoError(t, err)
		a, err := o.Corrupt(t.Context(), "d", outbox.CorruptSignature)
		require.NoError(t, err)
		want := map[string]string{"": "", "v1,": "v1,AQ==", "v1,!": "v1,AQ==", "v1,AAAA": "v1,AQAA"}[signature]
		require.Equal(t, want, headerOf(a).Get("Webhook-Signature"), signature)
		a, err = o.Corrupt(t.Context(), "d", outbox.CorruptBody)
		require.NoError(t, err)
		require.Equal(t, `{"a":1} `, a.Request.Body)
		a, err = o.Corrupt(t.Context(), "d", outbox.CorruptID)
		require.NoError(t, err)
		require.Equal(t, "0", headerOf(a).Get("Webhook-Id"))
	}
}

// refuser is a Sender that refuses every URL as private.
type refuser struct{ network }

func (*refuser) Check(context.Context, string) error {
	return engine.Errorf(engine.CodeNotPublic, "Check", "Private.").WithHint("Host it elsewhere.")
}

// Trigger with a URL sends one numbered message, signed with the secret that it returns.
func TestTriggerAtURL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		for i, secret := range []string{"", secretOf(30)} {
			done, err := s.Trigger(t.Context(), outbox.Trigger{Event: engine.EventOutputCompleted, URL: "https://receiver.example/x", Secret: secret})
			require.NoError(t, err)
			if secret == "" {
				secret = outbox.DirectSecret
			}
			require.Equal(t, secret, done.Secret)
			n := string(rune('1' + i))
			require.Equal(t, []string{"direct-" + n}, done.Messages)
			require.Equal(t, "00000000-0000-4000-9000-00000000000"+n, done.EventID)
			require.Equal(t, outbox.KindTrigger, done.Attempt.Kind)
			require.NoError(t, verifier(t, secret).Verify([]byte(done.Body), headerOf(*done.Attempt)))
			again, err := s.Resend(t.Context(), "direct-"+n, true)
			require.NoError(t, err)
			require.NoError(t, verifier(t, secret).Verify([]byte(done.Body), headerOf(again)))
		}
		for _, wrong := range []outbox.Trigger{
			{Event: engine.EventOutputCompleted, Secret: secretOf(30)},
			{Event: engine.EventOutputCompleted, URL: "https://receiver.example/x", Secret: secretOf(23)},
			{Event: engine.EventOutputCompleted, URL: "https://listen.soundstage.invalid/"},
			{Event: "output.deleted", URL: "https://receiver.example/x"},
			{Event: engine.EventOutputCompleted, URL: "https://receiver.example/x", Overrides: map[string]json.RawMessage{"status": json.RawMessage(`"x"`)}},
		} {
			_, err := s.Trigger(t.Context(), wrong)
			requireCode(t, engine.CodeInvalid, err)
		}
		require.Len(t, s.net.sent, 4)
	})
}

// A private URL is refused with a hint about the sandbox's flag.
func TestTriggerAtPrivateURL(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		private := outbox.New(outbox.Config{Sender: &refuser{}})
		require.NoError(t, private.Attach(t.Context(), s.engine, nil, s.owner))
		_, err := private.Trigger(t.Context(), outbox.Trigger{Event: engine.EventOutputCompleted, URL: "http://10.0.0.1/"})
		requireCode(t, engine.CodeNotPublic, err)
		e, ok := errors.AsType[*engine.Error](err)
		require.True(t, ok)
		require.Contains(t, e.Hint, "--allow-private-urls")
	})
}
