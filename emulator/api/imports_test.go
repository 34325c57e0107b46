package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

func unmarshal(text string, v any) error { return json.Unmarshal([]byte(text), v) }

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

// flaky serves the conversation whole, with a broken connection, or incorrectly, by path.
func flaky(t *testing.T) *httptest.Server {
	t.Helper()
	body := media(t, "conversation.mp3")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "audio/mpeg")
		w.Header().Set("ETag", `"one"`)
		w.Header().Set("Accept-Ranges", "bytes")
		switch req.URL.Path {
		case "/whole.mp3":
			_, _ = w.Write(body)
		case "/breaks.mp3":
			half := len(body) / 2
			if from, ok := strings.CutPrefix(req.Header.Get("Range"), "bytes="); ok {
				n, _ := strconv.Atoi(strings.TrimSuffix(from, "-"))
				w.Header().Set("Content-Range", "bytes "+strconv.Itoa(n)+"-"+strconv.Itoa(len(body)-1)+"/"+strconv.Itoa(len(body)))
				w.WriteHeader(http.StatusPartialContent)
				_, _ = w.Write(body[n:])
				return
			}
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = w.Write(body[:half])
			panic(http.ErrAbortHandler)
		case "/lies.mp3":
			w.Header().Del("ETag")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)*2))
			_, _ = w.Write(body)
		case "/page.mp3":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
		case "/text.mp3":
			_, _ = w.Write([]byte("this is no media"))
		case "/private.mp3":
			http.Redirect(w, req, "http://169.254.169.254/latest/meta-data", http.StatusFound)
		default:
			http.NotFound(w, req)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// An import becomes a recording with a transcript, even when the download is interrupted. Its progress never decreases.
func TestImports(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads much media")
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	s := flaky(t)
	for url, title := range map[string]string{
		s.URL + "/whole.mp3": "whole.mp3", s.URL + "/breaks.mp3": "Given", "https://www.youtube.com/watch?v=abc": "YouTube abc",
		"https://soundcloud.com/a/b": "SoundCloud b",
	} {
		body := map[string]any{"url": url}
		if title == "Given" {
			body["title"] = title
		}
		v := r.do("POST", "/v1/imports", body).want(202)
		require.Equal(t, "queued", v["status"])
		require.Equal(t, 0.0, v["progress"])
		require.Nil(t, v["recording_id"])
		last := 0.0
		done := r.poll("/v1/imports/"+v["import_id"].(string), func(v map[string]any) bool {
			require.GreaterOrEqual(t, v["progress"].(float64), last)
			last = v["progress"].(float64)
			return isFinal(v)
		})
		require.Equal(t, "completed", done["status"], "%v", done)
		require.Equal(t, 1.0, done["progress"])
		rec := r.settled("/v1/recordings/"+done["recording_id"].(string), "transcript_status")
		require.Equal(t, "completed", rec["transcript_status"])
		require.Equal(t, title, strings.TrimSuffix(rec["title"].(string), ""))
		require.Nil(t, rec["rss"])
	}
}

// A failed import ends in error with its own message and creates no recording.
func TestImportFailures(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it reads much media")
	r := newRig(t, emulator.Options{AllowPrivateURLs: true})
	s := flaky(t)
	seen := map[string]string{}
	for _, url := range []string{s.URL + "/lies.mp3", s.URL + "/page.mp3", s.URL + "/text.mp3", s.URL + "/private.mp3", s.URL + "/none.mp3"} {
		v := r.do("POST", "/v1/imports", map[string]any{"url": url}).want(202)
		done := r.poll("/v1/imports/"+v["import_id"].(string), isFinal)
		require.Equal(t, "error", done["status"], url)
		require.Nil(t, done["recording_id"])
		sentence := done["error"].(string)
		require.NotContains(t, seen, sentence, url)
		seen[sentence] = url
	}
	require.Equal(t, 0.0, r.do("GET", "/v1/recordings", nil).want(200)["count"])
	full := newRig(t, emulator.Options{AllowPrivateURLs: true, StorageHardLimit: 10_000})
	v := full.do("POST", "/v1/imports", map[string]any{"url": s.URL + "/whole.mp3"}).want(202)
	require.Equal(t, "storage limit exceeded", full.poll("/v1/imports/"+v["import_id"].(string), isFinal)["error"])
	full.upload("a.wav", "audio/wav", make([]byte, 10_000))
	require.Equal(t, "storage limit exceeded", full.do("POST", "/v1/imports", map[string]any{"url": s.URL + "/whole.mp3"}).wantError(402))
	closed := newRig(t, emulator.Options{})
	require.Equal(t, "url must resolve to a public address", closed.do("POST", "/v1/imports", map[string]any{"url": s.URL + "/whole.mp3"}).wantError(400))
}

// A transcript is translated into every language and format, with the space's terms and the speakers' names.
func TestTranslatedExports(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it writes every export")
	r := newRig(t, emulator.Options{})
	id := r.record("talk.wav", media(t, "conversation.wav"), map[string]any{"speakers_expected": 2})
	r.settled("/v1/recordings/"+id, "transcript_status")
	speaker := r.do("POST", "/v1/spaces/"+string(emulator.SandboxSpaceID)+"/speakers", map[string]any{"name": "Zoë"}).want(201)["speaker"].(map[string]any)["id"]
	r.do("POST", "/v1/recordings/"+id+"/speakers/assign", map[string]any{"label": "Speaker 0", "speaker_id": speaker}).want(200)
	path := "/v1/recordings/" + id + "/transcript?language="
	original := r.do("GET", path+"en", nil).want(200)
	for _, language := range []string{"de", "ja", "hi", "uk"} {
		v := r.do("GET", path+language, nil).want(200)
		require.Equal(t, language, v["language"])
		require.Len(t, v["utterances"], len(original["utterances"].([]any)))
		for i, u := range v["utterances"].([]any) {
			was, is := original["utterances"].([]any)[i].(map[string]any), u.(map[string]any)
			require.NotEqual(t, was["text"], is["text"])
			for _, same := range []string{"speaker", "start", "end"} {
				require.Equal(t, was[same], is[same])
			}
		}
		for _, f := range formats.Standard() {
			a := r.do("GET", path+language+"&format="+f.Name, nil)
			require.Equal(t, 200, a.status)
			if f.Name == "vtt" || f.Name == "txt" {
				require.Contains(t, string(a.body), "Zoë")
			}
			if f.Name != "pdf" && f.Name != "docx" {
				require.Equal(t, string(a.body), string(r.do("GET", path+language+"&format="+f.Name, nil).body), "a translation is deterministic")
			}
		}
	}
	r.do("GET", path+"tlh", nil).wantError(400)
	require.Equal(t, 403, r.as("sk_sandbox_core").do("GET", path+"de", nil).status)
}
