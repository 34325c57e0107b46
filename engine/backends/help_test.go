package backends_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine/backends"
)

// TestMain makes the test binary a transcriber program that returns two words for any WAV file.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "hear" {
		if info, err := os.Stat(os.Args[2]); err != nil || info.Size() < 1000 {
			os.Exit(1)
		}
		fmt.Println(`{"language":"en","segments":[{"start":0.5,"end":2,"text":" by program","words":[
			{"word":"by","start":0.5,"end":1,"score":0.9},{"word":"program","start":1,"end":2,"score":0.8}]}]}`)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// environment returns a Lookup with the given variables.
func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

// sandbox is a sandbox server that uses backends.
type sandbox struct {
	t       *testing.T
	handler http.Handler
}

func open(t *testing.T, c backends.Config) *sandbox {
	t.Helper()
	b, err := c.Open()
	require.NoError(t, err)
	s, err := emulator.New(t.Context(), emulator.Options{
		NewTranscriber: b.NewTranscriber, LLM: b.LLM, Translator: b.Translator, Live: b.Live, FFmpegOptional: true,
		Backends: control.Backends{Transcriber: control.Backend(b.Descriptions.Transcriber), LLM: control.Backend(b.Descriptions.LLM)},
		PollWait: time.Minute,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return &sandbox{t, s.Handler()}
}

func (s *sandbox) do(method, path, body string) *httptest.ResponseRecorder {
	s.t.Helper()
	req := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	req.Host = "sandbox"
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	req.Header.Set("Content-Type", "audio/wav")
	if strings.HasPrefix(path, "/_soundstage/") {
		req.Host, req.RemoteAddr = "localhost", "127.0.0.1:1"
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, req)
	return w
}

func (s *sandbox) json(method, path, body string) map[string]any {
	s.t.Helper()
	w := s.do(method, path, body)
	require.Less(s.t, w.Code, 300, "%s %s: %s", method, path, w.Body)
	var v map[string]any
	require.NoError(s.t, json.Unmarshal(w.Body.Bytes(), &v), "%s", w.Body)
	return v
}

// record uploads a conversation, waits for its transcript, and returns the recording's path.
func (s *sandbox) record() string {
	s.t.Helper()
	return s.recordFile(filepath.Join("..", "..", "testdata", "conversation.wav"))
}

// recordFile is record for another file.
func (s *sandbox) recordFile(file string) string {
	s.t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(s.t, err)
	up := s.json("POST", "/v1/uploads", fmt.Sprintf(`{"filename":"a.wav","content_type":"audio/wav","content_size":%d}`, len(b)))
	require.Equal(s.t, 200, s.do("PUT", strings.TrimPrefix(up["upload_url"].(string), "http://example.com"), string(b)).Code)
	path := "/v1/recordings/" + s.json("POST", "/v1/recordings", `{"object_id":"`+up["object_id"].(string)+`"}`)["recording"].(map[string]any)["id"].(string)
	s.until(path, func(v map[string]any) any { return v["recording"].(map[string]any)["transcript_status"] })
	return path
}

// until polls until the status is completed.
func (s *sandbox) until(path string, status func(map[string]any) any) map[string]any {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		v := s.json("GET", path, "")
		switch status(v) {
		case "completed":
			return v
		case "error", "failed":
			s.t.Fatalf("%v", v)
		}
		require.True(s.t, time.Now().Before(deadline), "%v", v)
	}
}

// transcript returns a recording's transcript in the format of query.
func (s *sandbox) transcript(path, query string) string {
	s.t.Helper()
	w := s.do("GET", path+"/transcript?"+query, "")
	require.Equal(s.t, 200, w.Code, "%s", w.Body)
	return w.Body.String()
}

// generate generates an output for a recording, and returns its text.
func (s *sandbox) generate(path, prompt string) string {
	s.t.Helper()
	id := s.json("POST", path+"/generate", `{"prompt":"`+prompt+`"}`)["output_id"].(string)
	return s.until("/v1/outputs/"+id, func(v map[string]any) any { return v["status"] })["text"].(string)
}

// within returns a context with a timeout.
func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
