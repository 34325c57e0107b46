package signature_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/signature"
)

// Sign returns the published vector's signature, for a secret with and without its prefix.
func TestSignatureVector(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		got, err := signature.Sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
		require.NoError(t, err)
		require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", got)
	}
}

// An invalid secret signs nothing.
func TestBrokenSecret(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", "whsec_", "whsec_not base64"} {
		_, err := signature.Sign(secret, "id", time.Unix(0, 0), nil)
		require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
		_, err = signature.Secrets{{Value: "whsec_MQ=="}, {Value: secret}}.Header("id", time.Unix(0, 0), time.Unix(0, 0), nil)
		require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	}
}

// A rotation keeps the previous secret for a day. Expired secrets neither sign nor count.
func TestRotate(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	first, err := signature.Secrets(nil).Rotate("whsec_MQ==", now)
	require.NoError(t, err)
	require.Equal(t, signature.Secrets{{Value: "whsec_MQ=="}}, first)
	both, err := first.Rotate("whsec_Mg==", now)
	require.NoError(t, err)
	until := now.Add(24 * time.Hour)
	require.Equal(t, signature.Secrets{{Value: "whsec_Mg=="}, {Value: "whsec_MQ==", ExpiresAt: &until}}, both)
	require.Nil(t, first[0].ExpiresAt, "the argument must not change")
	for at, want := range map[time.Time]int{now: 2, until.Add(-1): 2, until: 1} {
		header, err := both.Header("id", at, now, nil)
		require.NoError(t, err)
		require.Len(t, strings.Fields(header), want)
	}
	last, err := both.Rotate("whsec_Mw==", until)
	require.NoError(t, err)
	require.Len(t, last, 2)
}

// At most 10 secrets sign at the same time.
func TestRotateTooOften(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000_000, 0)
	var s signature.Secrets
	var err error
	for range 10 {
		s, err = s.Rotate("whsec_MQ==", now)
		require.NoError(t, err)
	}
	_, err = s.Rotate("whsec_MQ==", now)
	require.Equal(t, fault.CodeConflict, fault.CodeOf(err))
	require.Equal(t, "The secret was changed 9 times in a day.", fault.Message(err))
	_, err = s.Rotate("whsec_MQ==", now.Add(signature.Overlap))
	require.NoError(t, err)
}

// A secret is 32 random bytes in base64 after a prefix. Too few random bytes are an error.
func TestNewSecret(t *testing.T) {
	t.Parallel()
	secret, err := signature.NewSecret(strings.NewReader(strings.Repeat("a", 32) + "b"))
	require.NoError(t, err)
	require.Equal(t, "whsec_YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=", secret)
	secret, err = signature.NewSecret(strings.NewReader(strings.Repeat("a", 31)))
	require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Empty(t, secret)
}
