package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// A GET with X-Soundstage-Observer shows the state without changing it: it is not logged, hits no fault, is in no capsule, and is no poll in mode
// steps. Requests that do something are never observers.
func TestObserver(t *testing.T) {
	t.Parallel()
	s, err := emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0", Clock: "steps"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	send := func(method, path string, observes bool) int {
		req, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		if observes {
			req.Header.Set("X-Soundstage-Observer", "test")
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	w, err := s.World("")
	require.NoError(t, err)
	count := func() int {
		n, err := w.Traffic().Count(traffic.Match{})
		require.NoError(t, err)
		return n
	}
	require.NoError(t, s.StartCapsule(t.Context(), ""))
	_, err = w.Traffic().AddFault(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Status: 503}})
	require.NoError(t, err)

	require.Equal(t, 200, send("GET", "/v1/spaces", true))
	require.Equal(t, 200, send("HEAD", "/v1/spaces", true))
	require.Zero(t, count())
	recorded, err := s.Capsule("")
	require.NoError(t, err)
	require.Empty(t, recorded.Requests)

	require.Equal(t, 503, send("GET", "/v1/spaces", false), "the fault waits for a client")
	require.NotEqual(t, 503, send("POST", "/v1/uploads", true))
	require.Equal(t, 2, count(), "a POST is never an observer")
}

// In mode steps, an observer sees the same state however often it looks. The polls of a client then start from the beginning.
func TestObserverMovesNoClock(t *testing.T) {
	t.Parallel()
	s, err := emulator.New(t.Context(), emulator.Options{Addr: "127.0.0.1:0", Clock: "steps"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	send := func(method, url, kind, body string, observes bool) (v struct {
		ObjectID  string `json:"object_id"`
		UploadURL string `json:"upload_url"`
		Recording struct {
			ID     string `json:"id"`
			Status string `json:"transcript_status"`
		} `json:"recording"`
	}) {
		req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		req.Header.Set("Content-Type", kind)
		if observes {
			req.Header.Set("X-Soundstage-Observer", "test")
		}
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		require.Less(t, resp.StatusCode, 300)
		_ = json.NewDecoder(resp.Body).Decode(&v)
		return v
	}
	wav, err := os.ReadFile("../testdata/tone.wav")
	require.NoError(t, err)
	const asJSON = "application/json"
	up := send("POST", s.URL()+"/v1/uploads", asJSON, fmt.Sprintf(`{"filename":"a.wav","content_type":"audio/wav","content_size":%d}`, len(wav)), false)
	send("PUT", up.UploadURL, "audio/wav", string(wav), false)
	id := send("POST", s.URL()+"/v1/recordings", asJSON, fmt.Sprintf(`{"object_id":%q}`, up.ObjectID), false).Recording.ID
	look := func(observes bool) string {
		return send("GET", s.URL()+"/v1/recordings/"+id, asJSON, "", observes).Recording.Status
	}
	for range 4 {
		require.Equal(t, "queued", look(true))
	}
	require.Equal(t, "queued", look(false))
	require.Equal(t, "processing", look(false))
	require.Equal(t, "processing", look(true))
}
