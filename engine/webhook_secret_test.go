package engine_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

// verifies reports whether the reference library accepts a request as signed with the secret, now.
func verifies(t *testing.T, secret string, req engine.SendRequest) bool {
	t.Helper()
	reference, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	header := http.Header{}
	for name, value := range req.Header {
		header.Set(name, value)
	}
	return reference.Verify(req.Body, header) == nil
}

// The reference library verifies every delivery, and refuses one with a changed body, id, or time.
func TestReferenceLibraryVerifies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		_, secret := s.hook(engine.NewWebhook{})
		require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, secret, "32 bytes")
		s.complete()
		require.Len(t, s.sent(), 1)
		req := s.sent()[0]
		require.True(t, verifies(t, secret, req))
		for _, change := range []func(*engine.SendRequest){
			func(r *engine.SendRequest) { r.Body = append([]byte(" "), r.Body...) },
			func(r *engine.SendRequest) { r.Header["webhook-id"] += "1" },
			func(r *engine.SendRequest) { r.Header["webhook-timestamp"] = "946684801" },
		} {
			changed := s.sent()[0]
			change(&changed)
			require.False(t, verifies(t, secret, changed))
		}
		require.False(t, verifies(t, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", req))
	})
}

// For a day after a rotation, the old and the new secret sign; then only the new one.
func TestRotation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		w, old := s.hook(engine.NewWebhook{})
		w, secret, err := s.RotateWebhookSecret(t.Context(), s.caller, w.ID)
		require.NoError(t, err)
		require.NotEqual(t, old, secret)
		require.Nil(t, w.Secrets)
		s.test(w.ID)
		time.Sleep(signature.Overlap - time.Microsecond)
		s.test(w.ID)
		time.Sleep(time.Second)
		s.test(w.ID)
		sent := s.sent()
		require.Len(t, sent, 3)
		require.Len(t, strings.Split(sent[0].Header["webhook-signature"], " "), 2)
		require.Len(t, strings.Split(sent[1].Header["webhook-signature"], " "), 2)
		require.Len(t, strings.Split(sent[2].Header["webhook-signature"], " "), 1)
		require.True(t, verifies(t, secret, sent[2]))
		require.False(t, verifies(t, old, sent[2]))
	})
}

// All secrets of an overlap verify one request, and their number is limited.
func TestRotationOverlap(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		w, secret := s.hook(engine.NewWebhook{})
		secrets := []string{secret}
		for range 9 {
			_, secret, err := s.RotateWebhookSecret(t.Context(), s.caller, w.ID)
			require.NoError(t, err)
			secrets = append(secrets, secret)
		}
		_, _, err := s.RotateWebhookSecret(t.Context(), s.caller, w.ID)
		requireCode(t, engine.CodeConflict, err)
		s.test(w.ID)
		for _, secret := range secrets {
			require.True(t, verifies(t, secret, s.sent()[0]))
		}
		time.Sleep(signature.Overlap)
		_, _, err = s.RotateWebhookSecret(t.Context(), s.caller, w.ID)
		require.NoError(t, err, "the old secrets have expired")
	})
}
