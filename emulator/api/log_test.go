package api_test

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
)

// safeBuffer is a buffer that is safe for concurrent use.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// The log has every request with its ID, without secrets and signatures.
func TestLogHasNoSecrets(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	r := newRig(t, emulator.Options{Log: slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	r.as("sk_wrong_but_secret").do("GET", "/v1/spaces", nil).wantError(401)
	v := r.do("POST", "/v1/uploads", map[string]any{"filename": "a.wav", "content_type": "audio/wav", "content_size": 5}).want(201)
	url := v["upload_url"].(string)
	a := r.as("").do("PUT", url, "bytes", "Content-Type", "audio/wav")
	require.Equal(t, 200, a.status)
	r.as("").do("PUT", url+"0", "bytes", "Content-Type", "audio/wav").wantStorageError(403, "SignatureDoesNotMatch")
	_, query, _ := strings.Cut(url, "?")
	text := log.String()
	require.Contains(t, text, a.header.Get("X-Request-Id"))
	require.Contains(t, text, "/storage/"+v["object_id"].(string))
	for _, secret := range []string{"sk_", query, strings.Split(query, "&")[0], "Bearer"} {
		require.NotContains(t, text, secret)
	}
}
