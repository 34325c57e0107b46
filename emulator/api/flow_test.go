package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// Media uploaded over /v1 becomes a recording with a speaker-labelled transcript with word times, in every format. Records in memory and in
// SQLite give the same result.
func TestUploadToExports(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it decodes and renders media")
	var json0 []byte
	for _, dir := range []string{"", filepath.Join(t.TempDir(), "data")} {
		r := newRig(t, emulator.Options{DataDir: dir})
		id := r.record("talk one.wav", media(t, "conversation.wav"), map[string]any{"speakers_expected": 2})
		rec := r.settled("/v1/recordings/"+id, "transcript_status")
		require.Equal(t, "completed", rec["transcript_status"])
		require.Equal(t, true, rec["has_transcript"])
		require.Equal(t, "talk one.wav", rec["title"])
		require.Equal(t, 1.0, rec["number"])
		require.Equal(t, 1.0, rec["duration_minutes"])
		require.Equal(t, map[string]any{"id": string(emulator.SandboxSpaceID), "name": "Sandbox"}, rec["space"])
		for _, null := range []string{"episode_number", "season_number", "rss"} {
			v, ok := rec[null]
			require.True(t, ok && v == nil, "%s is null, not dropped", null)
		}
		for _, f := range formats.Standard() {
			a := r.do("GET", "/v1/recordings/"+id+"/transcript?format="+f.Name, nil)
			require.Equal(t, 200, a.status)
			require.Equal(t, f.ContentType, a.header.Get("Content-Type"))
			require.NotEmpty(t, a.body)
			if f.Name != "json" {
				require.Equal(t, `attachment; filename="talk one`+f.Extension+`"`, strings.Split(a.header.Get("Content-Disposition"), "; filename*")[0])
			}
		}
		a := r.do("GET", "/v1/recordings/"+id+"/transcript", nil)
		var got struct {
			RecordingID   string `json:"recording_id"`
			AudioDuration int    `json:"audio_duration"`
			Utterances    []struct {
				Speaker    string
				Start, End int
				Words      []struct{ Start, End int }
			}
		}
		require.NoError(t, json.Unmarshal(a.body, &got))
		require.Equal(t, id, got.RecordingID)
		require.Equal(t, 25, got.AudioDuration)
		speakers := map[string]bool{}
		last := 0
		for _, u := range got.Utterances {
			speakers[u.Speaker] = true
			for _, w := range u.Words {
				require.LessOrEqual(t, last, w.Start)
				require.Less(t, w.Start, w.End)
				require.LessOrEqual(t, w.End, 25_000)
				last = w.Start
			}
		}
		require.Equal(t, map[string]bool{"Speaker 0": true, "Speaker 1": true}, speakers)
		body := []byte(strings.ReplaceAll(string(a.body), id, "ID"))
		if json0 == nil {
			json0 = body
		}
		require.Equal(t, string(json0), string(body), "transcribing the same media again gives the same transcript")
		plain := r.do("GET", "/v1/recordings/"+id+"/transcript?format=txt&include_timestamp=false", nil)
		require.NotContains(t, string(plain.body), "[00:")
		same := r.do("GET", "/v1/recordings/"+id+"/transcript?format=txt&language=en", nil)
		require.Equal(t, 200, same.status, "a transcript's original language needs no translation")
	}
}

// A URL of each supported media format is transcribed, and no recording is created.
func TestTranscribeURLs(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads much media")
	files := httptest.NewServer(http.FileServer(http.Dir("../../testdata")))
	defer files.Close()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	for _, name := range []string{"conversation.wav", "conversation.mp3", "conversation.m4a", "conversation.mp4", "raw.aac"} {
		v := r.do("POST", "/v1/transcripts", map[string]any{"url": files.URL + "/" + name, "boosted_words": []string{"Soundstage"}}).want(201)
		require.Equal(t, "queued", v["status"])
		require.Len(t, v, 2)
		done := r.settled("/v1/transcripts/"+v["id"].(string), "status")
		require.Equal(t, "completed", done["status"], "%s: %v", name, done["error"])
		require.NotEmpty(t, done["utterances"], name)
		raw, err := json.Marshal(done)
		require.NoError(t, err)
		require.Contains(t, string(raw), "Soundstage")
	}
	v := r.do("POST", "/v1/transcripts", map[string]any{"url": files.URL + "/german.m4a", "language_detection": true}).want(201)
	done := r.settled("/v1/transcripts/"+v["id"].(string), "status")
	require.Equal(t, "completed", done["status"])
	v = r.do("POST", "/v1/transcripts", map[string]any{"url": files.URL + "/silence.wav"}).want(201)
	done = r.settled("/v1/transcripts/"+v["id"].(string), "status")
	require.Equal(t, []any{}, done["utterances"], "silence gives a completed transcript without utterances")
	require.Equal(t, 3.0, done["audio_duration"])
	require.Equal(t, 0.0, r.do("GET", "/v1/recordings", nil).want(200)["count"])
}

// Each way in which the transcription of a URL can fail gives status error with its own message.
func TestTranscribeBadURLs(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads much media")
	files := httptest.NewServer(http.FileServer(http.Dir("../../testdata")))
	defer files.Close()
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	guarded := newRig(t, emulator.Options{})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	seen := map[string]string{}
	for name, c := range map[string]struct {
		rig *rig
		url string
	}{
		"private address":    {guarded, files.URL + "/conversation.wav"},
		"missing":            {r, files.URL + "/nothing.wav"},
		"connection refused": {r, gone.URL + "/a.wav"},
		"a web page":         {r, files.URL + "/"},
		"text":               {r, files.URL + "/notmedia.wav"},
		"no audio":           {r, files.URL + "/videoonly.mp4"},
		"too short":          {r, files.URL + "/tooshort.wav"},
	} {
		v := c.rig.do("POST", "/v1/transcripts", map[string]any{"url": c.url}).want(201)
		done := c.rig.settled("/v1/transcripts/"+v["id"].(string), "status")
		require.Equal(t, "error", done["status"], name)
		sentence := done["error"].(string)
		require.NotContains(t, seen, sentence, name)
		seen[sentence] = name
	}
	for _, name := range []string{"empty.wav", "playlist.mp4", "concat.mp4", "truncated-nomoov.mp4"} {
		v := r.do("POST", "/v1/transcripts", map[string]any{"url": files.URL + "/" + name}).want(201)
		done := r.settled("/v1/transcripts/"+v["id"].(string), "status")
		require.Equal(t, "error", done["status"], name)
		require.NotContains(t, done["error"], "ffmpeg", "the message has no internals")
	}
	v := r.do("POST", "/v1/transcripts", map[string]any{"url": files.URL + "/silence.wav", "language_detection": true}).want(201)
	require.Equal(t, "error", r.settled("/v1/transcripts/"+v["id"].(string), "status")["status"], "silence has no language to detect")
}

// A recording with bad media still exists, with transcript_status error.
func TestBadMediaRecordings(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads much media")
	r := newRig(t, emulator.Options{})
	for _, name := range []string{"notmedia.wav", "playlist.mp4", "videoonly.mp4", "truncated-nomoov.mp4", "tooshort.wav"} {
		id := r.record(name, media(t, name), nil)
		rec := r.settled("/v1/recordings/"+id, "transcript_status")
		require.Equal(t, "error", rec["transcript_status"], name)
		require.Equal(t, false, rec["has_transcript"])
		sentence := r.do("GET", "/v1/recordings/"+id+"/transcript", nil).wantError(400)
		require.Contains(t, sentence, "its status is error")
	}
	id := r.record("truncated.mp4", media(t, "truncated.mp4"), nil)
	require.Equal(t, "completed", r.settled("/v1/recordings/"+id, "transcript_status")["transcript_status"], "truncated media is transcribed as far as it goes")
	id = r.record("silence.wav", media(t, "silence.wav"), nil)
	require.Equal(t, "completed", r.settled("/v1/recordings/"+id, "transcript_status")["transcript_status"])
	for _, f := range formats.Standard() {
		a := r.do("GET", "/v1/recordings/"+id+"/transcript?format="+f.Name, nil)
		require.Equal(t, 200, a.status, "%s of silence is a valid empty document: %s", f.Name, a.body)
	}
}
