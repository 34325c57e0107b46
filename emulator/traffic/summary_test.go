package traffic_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// A summary says what an exchange was, with the prefix of its secret, before and after the entry is read.
func TestSummary(t *testing.T) {
	t.Parallel()
	var early traffic.Summary
	s := newTestServer(t, traffic.Config{Ended: func(e *traffic.Entry) { early = e.Summary("w") }})
	s.do("POST", "/v1/recordings?api_key=k1", "12345")
	late := s.find(traffic.Match{})[0].Summary("w")
	require.Equal(t, early, late)
	require.Positive(t, late.DurationMS)
	require.False(t, late.Time.IsZero())
	late.DurationMS = 0
	raw, err := json.Marshal(late)
	require.NoError(t, err)
	when, err := json.Marshal(late.Time)
	require.NoError(t, err)
	require.JSONEq(t, `{"number":1,"time":`+string(when)+`,"world":"w","method":"POST","path":"/v1/recordings","query":"api_key=***","op":"createRecording",
		"status":201,"duration_ms":0,"request_bytes":5,"response_bytes":26,"secret":"sk_sandbox_***"}`, string(raw))
}
