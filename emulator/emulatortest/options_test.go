package emulatortest_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// listener is a Transcriber that says how long a file is.
type listener struct{}

func (listener) Transcribe(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	text := fmt.Sprintf("It is %s long.", req.Info.Duration.Round(time.Second))
	return engine.Transcription{Language: "en", Words: []transcript.Word{{Text: text, Start: 100 * time.Millisecond, End: 400 * time.Millisecond, Speaker: "Speaker 0"}}}, nil
}

// WithTranscriber makes a Transcriber of the test transcribe media.
func TestWithTranscriber(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithTranscriber(listener{}))
	id := record(t, s.URL, s.Client(), sound)
	s.Wait.Recording(id, "completed")
	require.Contains(t, fmt.Sprint(getJSON(t, s.Client(), s.URL+"/v1/recordings/"+id+"/transcript")), "It is 1s long.")
}

// WithRateLimits limits the keys of a tier and no others.
func TestWithRateLimits(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual),
		emulatortest.WithRateLimits(map[engine.Tier]int{engine.TierCore: 2}))
	for _, want := range []int{200, 200, 429} {
		status, v := fetch(t, s.ClientOf(s.Secrets.Core), "GET", s.URL+"/v1/spaces", nil, "")
		require.Equal(t, want, status, "%v", v)
		getJSON(t, s.Client(), s.URL+"/v1/spaces")
	}
}

// WithPrivateURLs allows a webhook to the test's own server, which is rejected without it.
func TestWithPrivateURLs(t *testing.T) {
	t.Parallel()
	received := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		received <- req.Method + " " + req.URL.Path
	}))
	t.Cleanup(receiver.Close)
	hook := fmt.Sprintf(`{"url":"%s/hook","events":["transcript.completed"]}`, receiver.URL)

	s := emulatortest.New(t, emulatortest.WithPrivateURLs())
	postJSON(t, s.Client(), s.URL+"/v1/webhooks", hook)
	s.Wait.Recording(record(t, s.URL, s.Client(), sound), "completed")
	s.Webhooks.Wait(engine.EventTranscriptCompleted, 1)
	require.Equal(t, "POST /hook", <-received)

	s = emulatortest.New(t)
	status, v := fetch(t, s.Client(), "POST", s.URL+"/v1/webhooks", []byte(hook), "application/json")
	require.Equal(t, 400, status, "%v", v)
}

// WithWorldPerKey creates a world for each new secret. Without it, the secret is unknown.
func TestWithWorldPerKey(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithWorldPerKey())
	mine, yours := s.ClientOf("sk_sandbox_core_mine"), s.ClientOf("sk_sandbox_core_yours")
	record(t, s.URL, mine, sound)
	require.Len(t, getJSON(t, mine, s.URL+"/v1/recordings")["recordings"], 1)
	require.Empty(t, getJSON(t, yours, s.URL+"/v1/recordings")["recordings"])
	require.Empty(t, getJSON(t, s.Client(), s.URL+"/v1/recordings")["recordings"])
	require.Len(t, s.Sandbox.Worlds(), 3)

	s = emulatortest.New(t)
	status, _ := fetch(t, s.ClientOf("sk_sandbox_core_mine"), "GET", s.URL+"/v1/recordings", nil, "")
	require.Equal(t, 401, status)
}

// text is a buffer for concurrent use.
type text struct {
	mu sync.Mutex
	b  strings.Builder
}

func (x *text) Write(p []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.b.Write(p)
}

// WithLog logs each request.
func TestWithLog(t *testing.T) {
	t.Parallel()
	log := &text{}
	s := emulatortest.New(t, emulatortest.WithLog(slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	getJSON(t, s.Client(), s.URL+"/v1/spaces")
	s.Close() // waits for requests in progress
	require.Contains(t, log.b.String(), "/v1/spaces")
}

// WithCapsule records a test without the variable: its capsule is in the temporary folder.
func TestWithCapsule(t *testing.T) {
	t.Setenv("SOUNDSTAGE_CAPSULES", "")
	folder := t.TempDir()
	for _, variable := range []string{"TMPDIR", "TMP"} { // Unix, Windows
		t.Setenv(variable, folder)
	}
	path := filepath.Join(folder, "soundstage-capsules", "TestX_y.capsule.json")
	run := func(opts ...emulatortest.Option) {
		r := &report{TB: t}
		r.finish(func() {
			s := emulatortest.New(r, append(opts, emulatortest.WithoutNetwork())...)
			getJSON(t, s.Client(), s.URL+"/v1/spaces")
			r.Errorf("it fails")
		})
	}
	run()
	require.NoFileExists(t, path)
	run(emulatortest.WithCapsule())
	require.FileExists(t, path)
}
