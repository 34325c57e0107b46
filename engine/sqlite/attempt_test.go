package sqlite_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// attemptCases returns attempts of every form.
func attemptCases() [][]engine.Attempt {
	answered := engine.Attempt{
		At: noon, Duration: 1500 * time.Microsecond, Request: map[string]string{"webhook-id": "msg_1", "webhook-signature": "v1,c2ln v1,b2xk"},
		Status: 503, Response: "<html>\x00\xff\xe2\x82",
	}
	broken := engine.Attempt{At: noon.Add(time.Hour), Duration: 15 * time.Second, Request: map[string]string{}, Error: "The receiver did not answer."}
	return [][]engine.Attempt{{}, {answered}, {answered, broken, {At: time.Unix(0, 0).UTC(), Private: true}}}
}

// Truncated, changed, or extended bytes are an error.
func TestBrokenAttempts(t *testing.T) {
	t.Parallel()
	for _, attempts := range attemptCases() {
		b := sqlite.EncodeAttempts(attempts)
		got, err := sqlite.DecodeAttempts(b)
		require.NoError(t, err)
		require.Equal(t, attempts, got)
		for n := range b {
			_, err := sqlite.DecodeAttempts(b[:n])
			require.Error(t, err, "%d of %d bytes", n, len(b))
		}
		_, err = sqlite.DecodeAttempts(append(b, 0))
		require.Error(t, err)
		b[0]++
		_, err = sqlite.DecodeAttempts(b)
		require.Error(t, err, "unknown version")
	}
	s := open(t)
	update(t, s, func(tx engine.Tx) error {
		return tx.PutDelivery(engine.Delivery{ID: "d", Status: engine.DeliveryPending})
	})
	require.NoError(t, s.Exec("UPDATE deliveries SET attempts = x'0101'"))
	err := s.View(t.Context(), func(tx engine.ReadTx) error {
		_, err := tx.Delivery("d")
		return err
	})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.ErrorContains(t, err, "the row d of the table deliveries is damaged")
}

// Attempts of version 1, without the byte private, can still be read.
func TestOldAttempts(t *testing.T) {
	t.Parallel()
	got, err := sqlite.DecodeAttempts([]byte("\x01\x01\x00\x00\x00\x00\x01a\x01b"))
	require.NoError(t, err)
	require.Equal(t, []engine.Attempt{{At: time.Unix(0, 0).UTC(), Response: "a", Error: "b"}}, got)
}

// Decoding arbitrary bytes doesn't panic, and decoded attempts survive encoding and decoding.
func FuzzDecodeAttempts(f *testing.F) {
	for _, attempts := range attemptCases() {
		f.Add(sqlite.EncodeAttempts(attempts))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		attempts, err := sqlite.DecodeAttempts(b)
		if err != nil {
			return
		}
		again, err := sqlite.DecodeAttempts(sqlite.EncodeAttempts(attempts))
		require.NoError(t, err)
		require.Equal(t, attempts, again)
	})
}
