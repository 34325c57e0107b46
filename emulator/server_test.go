package emulator_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

func needFFmpeg(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("ffmpeg is missing: run `make setup`")
		}
		t.Skip("ffmpeg is missing: run `make setup`")
	}
}

func start(t *testing.T, o emulator.Options) *emulator.Server {
	t.Helper()
	needFFmpeg(t)
	s, err := emulator.New(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func call(t *testing.T, method, url, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	var v map[string]any
	if len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &v), "%s", raw)
	}
	return resp.StatusCode, v
}

const anUpload = `{"filename":"a.wav","content_type":"audio/wav","content_size":5}`

// Health reports the version, the clock, whether data is ephemeral, and counts.
func TestHealth(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Version: "1.2.3"})
	status, _ := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
	require.Equal(t, 201, status)
	status, v := call(t, "GET", s.URL()+"/_soundstage/health", "")
	require.Equal(t, 200, status)
	counts := v["counts"].(map[string]any)
	delete(v, "counts")
	require.Equal(t, map[string]any{"status": "ok", "version": "1.2.3", "clock": "auto", "ephemeral": true, "worlds": 1.0, "checking": false, "backends": map[string]any{
		"transcriber": map[string]any{"kind": "fake"}, "llm": map[string]any{"kind": "fake"},
	}}, v)
	require.Equal(t, 1.0, counts["uploads"])
	require.Equal(t, 0.0, counts["recordings"])
	status, v = call(t, "POST", s.URL()+"/_soundstage/nothing", "")
	require.Equal(t, 404, status)
	require.NotEmpty(t, v["hint"])
}

// A reset removes everything except users and secrets while requests run. With a data folder it is rejected.
func TestReset(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{})
	status, up := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
	require.Equal(t, 201, status)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				if status, _ := call(t, "GET", s.URL()+"/v1/recordings", ""); status != 200 {
					t.Errorf("%d during a reset", status)
				}
			}
		}
	}()
	for range 5 {
		status, _ := call(t, "POST", s.URL()+"/_soundstage/reset", "")
		require.Equal(t, 200, status)
	}
	close(stop)
	<-stopped
	_, v := call(t, "GET", s.URL()+"/_soundstage/health", "")
	require.Equal(t, 0.0, v["counts"].(map[string]any)["uploads"])
	status, _ = call(t, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+up["object_id"].(string)+`"}`)
	require.Equal(t, 404, status)
	status, v = call(t, "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 200, status)
	require.Equal(t, 1.0, v["count"])

	kept := start(t, emulator.Options{DataDir: t.TempDir()})
	status, _ = call(t, "POST", kept.URL()+"/_soundstage/reset", "")
	require.Equal(t, 409, status)
}

// Data and cursors of a sandbox with a data folder survive a restart.
func TestRestart(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	var cursor, page string
	for round := range 2 {
		s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir})
		require.NoError(t, err)
		if round == 0 {
			for range 2 {
				_, v := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
				req, err := http.NewRequest(http.MethodPut, v["upload_url"].(string), strings.NewReader("bytes"))
				require.NoError(t, err)
				req.Header.Set("Content-Type", "audio/wav")
				resp, err := http.DefaultClient.Do(req)
				require.NoError(t, err)
				require.NoError(t, resp.Body.Close())
				status, _ := call(t, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+v["object_id"].(string)+`"}`)
				require.Equal(t, 201, status)
			}
			_, v := call(t, "GET", s.URL()+"/v1/recordings?limit=1", "")
			cursor = v["next_cursor"].(string)
		}
		_, v := call(t, "GET", s.URL()+"/v1/recordings?limit=1&cursor="+cursor, "")
		id := v["recordings"].([]any)[0].(map[string]any)["id"].(string)
		if round == 0 {
			page = id
		}
		require.Equal(t, page, id)
		require.NoError(t, s.Close())
	}
}

// A clock in mode auto that was ahead of the wall clock never goes back at a restart, so new recordings stay the newest.
func TestRestartKeepsTime(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var before string
	for range 2 {
		s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir})
		require.NoError(t, err)
		_, v := call(t, "GET", s.URL()+"/_soundstage/clock", "")
		require.Greater(t, v["now"], before)
		status, _ := call(t, "POST", s.URL()+"/_soundstage/clock/advance", `{"by":"5h"}`)
		require.Equal(t, 200, status)
		_, v = call(t, "GET", s.URL()+"/_soundstage/clock", "")
		before = v["now"].(string)
		status, _ = call(t, "POST", s.URL()+"/v1/uploads", anUpload) // its expiry is a job
		require.Equal(t, 201, status)
		require.NoError(t, s.Close())
	}
}

// New rejects options that can't be served with an error and a hint.
func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	running := start(t, emulator.Options{DataDir: dir})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, c := range map[string]struct {
		options emulator.Options
		code    engine.Code
		says    string
	}{
		"the address is in use":             {emulator.Options{Addr: strings.TrimPrefix(running.URL(), "http://")}, engine.CodeConflict, "in use"},
		"the data folder is in use":         {emulator.Options{DataDir: dir}, engine.CodeConflict, "use"},
		"the data folder is a file":         {emulator.Options{DataDir: file}, engine.CodeUnavailable, "data folder"},
		"no address":                        {emulator.Options{Addr: "nowhere"}, engine.CodeInvalid, "not an address"},
		"an unknown clock":                  {emulator.Options{Clock: "fast"}, engine.CodeInvalid, "clock"},
		"sandbox secrets on 0.0.0.0":        {emulator.Options{Addr: "0.0.0.0:0"}, engine.CodeInvalid, "loopback"},
		"sandbox secrets on all interfaces": {emulator.Options{Addr: ":0"}, engine.CodeInvalid, "loopback"},
		"ffmpeg is missing":                 {func() emulator.Options { o := emulator.Options{}; o.FFmpeg.FFmpeg = "/nothing/ffmpeg"; return o }(), engine.CodeUnavailable, "ffmpeg"},
		"an address of another machine":     {emulator.Options{Addr: "192.0.2.1:0", Secrets: []emulator.Secret{{Value: "a-secret-of-our-own", Tier: engine.TierCore}}}, engine.CodeUnavailable, "192.0.2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := emulator.New(context.Background(), c.options)
			require.Equal(t, c.code, engine.CodeOf(err), "%v", err)
			require.Contains(t, engine.Message(err), c.says)
			var e *engine.Error
			require.ErrorAs(t, err, &e)
			require.NotEmpty(t, e.Hint)
		})
	}
}

// Custom secrets allow any address and replace the sandbox's.
func TestCustomSecrets(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Addr: "0.0.0.0:0", Secrets: []emulator.Secret{{Value: "a-secret-of-our-own", Tier: engine.TierCore}}})
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL(), "http://"))
	require.NoError(t, err)
	status, _ := call(t, "GET", "http://127.0.0.1:"+port+"/v1/spaces", "")
	require.Equal(t, 401, status, "the sandbox's secret")
	req, err := http.NewRequest(http.MethodGet, "http://127.0.0.1:"+port+"/v1/spaces", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer a-secret-of-our-own")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
}

// A start revokes secrets of earlier starts that are not given again. Keys created in the data folder stay.
func TestSecretsOfEarlierStarts(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	first := []emulator.Secret{{Value: "a-secret-of-our-own", Tier: engine.TierCore}}
	second := []emulator.Secret{{Value: "another-secret-of-ours", Tier: engine.TierCore}}
	made := ""
	for _, c := range []struct {
		secrets []emulator.Secret
		opens   []string
		refused []string
	}{
		{nil, []string{"sk_sandbox_core", "sk_sandbox_other"}, []string{"a-secret-of-our-own"}},
		{first, []string{"a-secret-of-our-own"}, []string{"sk_sandbox_core", "sk_sandbox_platform", "sk_sandbox_other", "sk_sandbox_none"}},
		{second, []string{"another-secret-of-ours"}, []string{"a-secret-of-our-own", "sk_sandbox_core"}},
		{nil, []string{"sk_sandbox_core"}, []string{"another-secret-of-ours"}},
	} {
		s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir, Secrets: c.secrets})
		require.NoError(t, err)
		e := s.Engine()
		if made == "" {
			owner, err := e.Authenticate(t.Context(), "sk_sandbox_core")
			require.NoError(t, err)
			_, made, err = e.CreateKey(t.Context(), owner, engine.NewKey{Name: "ci"})
			require.NoError(t, err)
		}
		for _, secret := range append(c.opens, made) {
			_, err := e.Authenticate(t.Context(), secret)
			require.NoError(t, err, secret)
		}
		for _, secret := range c.refused {
			_, err := e.Authenticate(t.Context(), secret)
			require.Equal(t, engine.CodeUnauthenticated, engine.CodeOf(err), secret)
		}
		require.NoError(t, s.Close())
	}
}

// Close ends everything and removes temporary files, which are only created when needed.
func TestClose(t *testing.T) {
	needFFmpeg(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s, err := emulator.New(t.Context(), emulator.Options{})
	require.NoError(t, err)
	entries, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, entries)
	owner, err := s.Engine().Authenticate(t.Context(), "sk_sandbox_core")
	require.NoError(t, err)
	u, err := s.Engine().CreateUpload(t.Context(), owner, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 100_000})
	require.NoError(t, err)
	_, err = s.Engine().ReceiveUpload(t.Context(), u.ID, strings.NewReader(strings.Repeat("x", 100_000)))
	require.NoError(t, err)
	entries, err = os.ReadDir(temp)
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	require.NoError(t, s.Close())
	require.NoError(t, s.Wait())
	entries, err = os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, entries)
	_, err = net.DialTimeout("tcp", strings.TrimPrefix(s.URL(), "http://"), time.Second)
	require.Error(t, err)
}

// The server closes connections whose headers are too slow or too large, without affecting others.
func TestSlowAndLargeHeaders(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for timeouts")
	s := start(t, emulator.Options{})
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	require.NoError(t, err)
	_, err = io.WriteString(conn, "GET /v1/spaces HTTP/1.1\r\nHost: x\r\nX: ")
	require.NoError(t, err)
	began := time.Now()
	require.NoError(t, conn.SetReadDeadline(began.Add(20*time.Second)))
	status, _ := call(t, "GET", s.URL()+"/v1/spaces", "")
	require.Equal(t, 200, status)
	_, err = io.ReadAll(conn)
	require.NoError(t, err, "the server ends the connection")
	require.NoError(t, conn.Close())

	req, err := http.NewRequest(http.MethodGet, s.URL()+"/v1/spaces", nil)
	require.NoError(t, err)
	req.Header.Set("X", strings.Repeat("x", 100_000))
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, resp.StatusCode)
	}
}

// With a real clock, a transcript is seen in processing before it is completed.
func TestRealClock(t *testing.T) {
	slow.Short(t, "it waits for the wall clock")
	t.Parallel()
	needFFmpeg(t)
	s := start(t, emulator.Options{Clock: emulator.ClockReal})
	b, err := os.ReadFile("../testdata/tone.wav")
	require.NoError(t, err)
	ctx := t.Context()
	e := s.Engine()
	c, err := e.Authenticate(ctx, "sk_sandbox_platform")
	require.NoError(t, err)
	u, err := e.CreateUpload(ctx, c, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: int64(len(b))})
	require.NoError(t, err)
	_, err = e.ReceiveUpload(ctx, u.ID, strings.NewReader(string(b)))
	require.NoError(t, err)
	r, _, err := e.CreateRecording(ctx, c, engine.NewRecording{ObjectID: u.ID})
	require.NoError(t, err)
	began := time.Now()
	seen := map[engine.TranscriptStatus]bool{}
	for !seen[engine.TranscriptCompleted] && time.Since(began) < 2*time.Minute {
		r, _, err = e.GetRecording(ctx, c, r.ID)
		require.NoError(t, err)
		seen[r.TranscriptStatus] = true
	}
	require.True(t, seen[engine.TranscriptProcessing])
	require.True(t, seen[engine.TranscriptCompleted])
	require.GreaterOrEqual(t, time.Since(began), 2*time.Second)
}
