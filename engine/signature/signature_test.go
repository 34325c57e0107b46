package signature_test

import (
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/signature"
	"github.com/stretchr/testify/require"
)

// A signature is that of the published vector, with the secret written with its prefix and without.
func TestSignatureVector(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		got, err := signature.Sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
		require.NoError(t, err)
		require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", got)
	}
}

// A secret that is none signs nothing.
func TestBrokenSecret(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", "whsec_", "whsec_not base64"} {
		_, err := signature.Sign(secret, "id", time.Unix(0, 0), nil)
		require.Equal(t, fault.CodeInternal, fault.CodeOf(err))
	}
}
