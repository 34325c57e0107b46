package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// rendered polls a render until it ends. It requires that the progress never decreases and that asset_url is null until then.
func (r *rig) rendered(id string) map[string]any {
	r.t.Helper()
	last := 0.0
	for deadline := time.Now().Add(2 * time.Minute); ; {
		v := r.do("GET", "/v1/renders/"+id, nil).want(200)["render"].(map[string]any)
		require.GreaterOrEqual(r.t, v["progress"].(float64), last)
		last = v["progress"].(float64)
		if v["status"] != "rendering" {
			return v
		}
		require.Nil(r.t, v["asset_url"])
		require.True(r.t, time.Now().Before(deadline), "%v", v)
		pause(r.t)
	}
}

// A video recording gives a clip, an audio recording an audiogram. Everyone with the signed URL can download the video, whole or in ranges.
func TestRenders(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	r := newRig(t, emulator.Options{})
	video := r.record("conversation.mp4", media(t, "conversation.mp4"), nil)
	r.settled("/v1/recordings/"+video, "transcript_status")
	v := r.do("POST", "/v1/renders", map[string]any{
		"recording_id": video, "start_ms": 0, "end_ms": 1500, "aspect_ratio": "original", "title": "Hello {\\an8} & 100% 日本 🎙",
	}).want(202)["render"].(map[string]any)
	require.Equal(t, "rendering", v["status"])
	require.Equal(t, "captions", v["style"])
	require.Equal(t, "original", v["aspect_ratio"])
	require.Positive(t, v["start_ms"], "snapped to the first word")
	done := r.rendered(v["id"].(string))
	require.Equal(t, "completed", done["status"], "%v", done["message"])
	require.Equal(t, 1.0, done["progress"])
	url := done["asset_url"].(string)
	whole := r.as("").do("GET", url, nil)
	require.Equal(t, 200, whole.status)
	require.Equal(t, "video/mp4", whole.header.Get("Content-Type"))
	require.Equal(t, "ftyp", string(whole.body[4:8]))
	part := r.as("").do("GET", url, nil, "Range", "bytes=4-7")
	require.Equal(t, 206, part.status)
	require.Equal(t, "ftyp", string(part.body))
	require.Equal(t, 416, r.as("").do("GET", url, nil, "Range", "bytes=999999999-").status)
	require.Equal(t, 304, r.as("").do("GET", url, nil, "If-None-Match", whole.header.Get("ETag")).status)
	require.Equal(t, 200, r.as("").do("HEAD", url, nil).status)
	r.as("").do("GET", url+"0", nil).wantStorageError(403, "SignatureDoesNotMatch")
	r.as("").do("PUT", url, "x", "Content-Type", "video/mp4").wantStorageError(403, "SignatureDoesNotMatch")
	r.as("").do("GET", strings.Replace(url, v["id"].(string), "00000000-0000-4000-8000-000000000000", 1), nil).wantStorageError(403, "SignatureDoesNotMatch")
	again := r.do("GET", "/v1/renders/"+v["id"].(string), nil).want(200)["render"].(map[string]any)
	require.NotNil(t, again["asset_url"])
	r.as("sk_sandbox_other").do("GET", "/v1/renders/"+v["id"].(string), nil).wantError(404)

	sound := r.record("tone.wav", media(t, "conversation.wav"), nil)
	r.settled("/v1/recordings/"+sound, "transcript_status")
	v = r.do("POST", "/v1/renders", map[string]any{"recording_id": sound, "start_ms": 500, "end_ms": 900, "aspect_ratio": "1:1"}).want(202)["render"].(map[string]any)
	require.Equal(t, "audiogram", v["style"])
	done = r.rendered(v["id"].(string))
	require.Equal(t, "completed", done["status"], "%v", done["message"])
}

// Each invalid request for a render gets the documented status.
func TestRenderRules(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders media")
	r := newRig(t, emulator.Options{})
	id := r.record("conversation.wav", media(t, "conversation.wav"), nil)
	silent := r.record("silence.wav", media(t, "silence.wav"), nil)
	broken := r.record("notmedia.wav", media(t, "notmedia.wav"), nil)
	for _, rec := range []string{id, silent, broken} {
		r.settled("/v1/recordings/"+rec, "transcript_status")
	}
	for _, c := range []struct {
		body   map[string]any
		status int
		says   string
	}{
		{map[string]any{"start_ms": 0, "end_ms": 1000}, 400, "recording_id"},
		{map[string]any{"recording_id": id}, 400, "start_ms and end_ms are required"},
		{map[string]any{"recording_id": id, "start_ms": 0}, 400, "required"},
		{map[string]any{"recording_id": id, "start_ms": "0", "end_ms": 1000}, 400, "start_ms must be a whole number"},
		{map[string]any{"recording_id": id, "start_ms": 0.5, "end_ms": 1000}, 400, "start_ms"},
		{map[string]any{"recording_id": id, "start_ms": -1, "end_ms": 1000}, 400, "start_ms"},
		{map[string]any{"recording_id": id, "start_ms": 1000, "end_ms": 1000}, 400, "less than end_ms"},
		{map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 180_001}, 400, "3 minutes"},
		{map[string]any{"recording_id": id, "start_ms": 0, "end_ms": int64(9_000_000_000_000_000)}, 400, "3 minutes"},
		{map[string]any{"recording_id": id, "start_ms": 60_000, "end_ms": 61_000}, 400, "inside the recording"},
		{map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1000, "aspect_ratio": "2:1"}, 400, "aspect_ratio"},
		{map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1000, "title": "a\nb"}, 400, "title"},
		{map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1000, "suggestion_id": "x"}, 400, "either"},
		{map[string]any{"recording_id": id, "suggestion_id": "x"}, 404, "suggestion"},
		{map[string]any{"recording_id": "nothing", "start_ms": 0, "end_ms": 1000}, 404, "recording"},
		{map[string]any{"recording_id": silent, "start_ms": 0, "end_ms": 1000}, 400, "spoken words"},
		{map[string]any{"recording_id": broken, "start_ms": 0, "end_ms": 1000}, 400, "its status is error"},
	} {
		require.Contains(t, r.do("POST", "/v1/renders", c.body).wantError(c.status), c.says, "%v", c.body)
	}
	r.as("sk_sandbox_other").do("POST", "/v1/renders", map[string]any{"recording_id": id, "start_ms": 0, "end_ms": 1000}).wantError(404)
	r.do("GET", "/v1/renders/nothing", nil).wantError(404)
	require.Equal(t, http.StatusMethodNotAllowed, r.do("DELETE", "/v1/renders/nothing", nil).status)
}
