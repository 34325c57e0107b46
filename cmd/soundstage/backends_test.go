package main

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine/backends"
	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// plantedKey is a key that must appear only in requests to its service.
const plantedKey = "sk-planted-0123456789abcdef"

// runTranscribe runs `soundstage transcribe` on the conversation.
func runTranscribe(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	needFFmpeg(t)
	return cli(t, append([]string{"transcribe", testdata("conversation.wav")}, args...)...)
}

// `transcribe` writes the service's transcript. A replay of the recorded exchanges writes the same bytes without a network.
func TestTranscribeWithBackend(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it transcribes media")
	server := backendtest.NewWhisperCPP(t)
	dir := filepath.Join(t.TempDir(), "exchanges")
	code, out, errOut := runTranscribe(t, "--transcriber", "whispercpp", "--transcriber-url", server.URL, "--record", dir, "--format", "srt")
	require.Zero(t, code, errOut)
	require.Contains(t, out, "egiki dikefe")
	asked := len(server.Requests())
	require.Positive(t, asked)
	code, again, errOut := runTranscribe(t, "--transcriber", "whispercpp", "--replay", dir, "--format", "srt")
	require.Zero(t, code, errOut)
	require.Equal(t, out, again)
	require.Len(t, server.Requests(), asked)

	code, _, errOut = cli(t, "transcribe", testdata("opening.flac"), "--transcriber", "whispercpp", "--replay", dir)
	require.Equal(t, 5, code)
	require.Contains(t, errOut, "record", "an unrecorded request fails")
	code, _, errOut = runTranscribe(t, "--transcriber", "whispercpp", "--transcriber-url", server.URL, "--record", dir)
	require.Equal(t, 2, code, "a folder with recorded exchanges can't be used again")
	require.Contains(t, errOut, "has recorded exchanges")
}

// Common mistakes fail with a message, a hint, and the right exit code.
func TestBackendMistakes(t *testing.T) {
	slow.Skip(t, "it starts many programs")
	server := backendtest.NewOpenAISpeech(t)
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"unknown kind": {[]string{"--transcriber", "alexa"}, 2, []string{"unknown transcriber \"alexa\": use fake, openai,", "--help"}},
		"no key":       {[]string{"--transcriber", "openai"}, 2, []string{"OpenAI needs a key, and none is set.", "OPENAI_API_KEY"}},
		"no model":     {[]string{"--llm", "openai", "--llm-url", "http://h"}, 2, []string{"--llm openai needs the name of a model.", "--llm-model"}},
		"no address":   {[]string{"--transcriber", "whispercpp", "--transcriber-url", "localhost"}, 2, []string{"is not a valid server URL", "http://"}},
		"no kind":      {[]string{"--transcriber-url", "http://h"}, 2, []string{"no backend is chosen", "--transcriber fake, openai"}},
		"server down":  {[]string{"--transcriber", "whispercpp", "--transcriber-url", "http://127.0.0.1:1"}, 5, []string{"whisper.cpp could not be reached.", "connection refused", "start the server, or check the URL"}},
		"wrong path":   {[]string{"--transcriber", "openai", "--transcriber-url", server.URL}, 5, []string{"The transcriber does not know the URL or the model", "It usually ends with /v1."}},
		"no program":   {[]string{"--transcriber", "command", "--transcriber-command", `["no-such-program","{wav}"]`}, 5, []string{"no-such-program"}},
		"bad timeout":  {[]string{"--transcriber-timeout", "soon"}, 2, []string{"must be a duration"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errOut := runTranscribe(t, c.args...)
			require.Equal(t, c.code, code, errOut)
			require.Empty(t, out)
			for _, part := range c.says {
				require.Contains(t, errOut, part)
			}
		})
	}
}

// A sandbox reports which services it uses, but never their keys, even if a service's error repeats one. The test searches the output, log,
// ready file, control API, capsules, snapshots, data, and recorded exchanges.
func TestKeysHidden(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts many programs")
	speech := backendtest.NewOpenAISpeech(t)
	model := backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: plantedKey})
	echo := backendtest.Status(http.StatusUnauthorized, "", `{"error":{"message":"Incorrect API key provided: `+plantedKey+`"}}`)
	speech.Break(nil, echo)
	keyFile := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(keyFile, []byte(plantedKey+"\n"), 0o600))
	for _, data := range []bool{false, true} {
		dir := t.TempDir()
		args := []string{
			"--transcriber", "openai", "--transcriber-url", speech.URL + "/v1", "--transcriber-key-file", keyFile,
			"--llm", "openai", "--llm-url", model.URL, "--llm-model", "small", "--record", filepath.Join(dir, "exchanges"),
			"--log", "text", "--ready-file", filepath.Join(dir, "ready.json"),
		}
		if data {
			args = append(args, "--data", filepath.Join(dir, "data"))
		} else {
			args = append(args, "--capsule", filepath.Join(dir, "capsule.json"))
		}
		p := serveProcess(t, []string{"SOUNDSTAGE_LLM_KEY=" + plantedKey}, args...)
		require.Contains(t, p.greeting, "clock real")
		require.Contains(t, p.greeting, "Transcripts by openai at "+speech.URL+"/v1 (recorded); texts by openai small at "+model.URL+" (recorded)")
		id := p.record("conversation.wav")
		p.waitStatus(id, "completed")
		_, v := p.call("POST", "/v1/recordings/"+id+"/generate", "sk_sandbox_platform", map[string]any{"prompt": "Sum it up."})
		require.NotEmpty(t, v["output_id"])
		refused := p.record("tone.wav")
		ended := ""
		for deadline := time.Now().Add(time.Minute); ended != "error" && ended != "completed"; time.Sleep(10 * time.Millisecond) {
			_, v := p.call("GET", "/v1/recordings/"+refused, "sk_sandbox_platform", nil)
			ended = v["recording"].(map[string]any)["transcript_status"].(string)
			require.True(t, time.Now().Before(deadline))
		}
		said := p.greeting
		for _, path := range []string{"/_soundstage/health", "/_soundstage/clock", "/_soundstage/requests", "/_soundstage/worlds", "/_soundstage/snapshot", "/v1/recordings/" + refused} {
			said += p.get(path)
		}
		require.Contains(t, said, `"transcriber":{"kind":"openai","address":"`+speech.URL+`/v1","answers":"recorded"}`)
		ready, err := os.ReadFile(filepath.Join(dir, "ready.json"))
		require.NoError(t, err)
		require.NoError(t, p.signal(syscall.SIGTERM))
		require.NotContains(t, said+string(ready)+p.stderr.String(), plantedKey)
		files := 0
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files++
				b, err := os.ReadFile(path)
				require.NoError(t, err)
				require.NotContains(t, string(b), plantedKey, path)
			}
			return err
		}))
		require.Greater(t, files, 2)
	}
	require.Contains(t, fmt.Sprint(speech.Requests()[0].Header), plantedKey)
}

// get returns the body of a response with any status.
func (p *process) get(path string) string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path, nil)
	require.NoError(p.t, err)
	req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return string(b)
}

// longTalk writes a WAV file of the given minutes, with a sound at the start of every 10 s, and returns its path.
func longTalk(t *testing.T, minutes int) string {
	t.Helper()
	speech, err := os.ReadFile(testdata("conversation.wav"))
	require.NoError(t, err)
	const second = 32000
	size := minutes * 60 * second
	b := make([]byte, 44+size)
	copy(b, speech[:44])
	put32 := func(at, v int) { b[at], b[at+1], b[at+2], b[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24) }
	put32(4, 36+size)
	put32(40, size)
	for i := 0; i < size; i += 10 * second {
		word := speech[44+second+i/10/second*640:] // a different one each time
		copy(b[44+i:], word[:second/2])
	}
	path := filepath.Join(t.TempDir(), "long.wav")
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return path
}

// A process that is killed while a service transcribes a long recording in 20 parts sends only the missing parts after its restart.
func TestKillWhileBackendWorks(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it decodes and sends 20 minutes of sound")
	server := backendtest.NewOpenAISpeech(t)
	const answered, atOnce, parts = 8, 4, 20
	for range answered {
		server.Break(nil)
	}
	for range atOnce {
		server.Break(backendtest.Silent(time.Hour))
	}
	dir := t.TempDir()
	args := []string{"--data", dir, "--transcriber", "openai", "--transcriber-url", server.URL + "/v1", "--transcriber-model", "gpt-4o-mini-transcribe", "--speakers-by", "transcriber"}
	p := serveProcess(t, nil, args...)
	id := p.recordFile(longTalk(t, parts))
	for deadline := time.Now().Add(time.Minute); len(server.Requests()) < answered+atOnce; time.Sleep(5 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "%d requests", len(server.Requests()))
	}
	require.Error(t, p.signal(syscall.SIGKILL))
	before := server.Requests()

	p = serveProcess(t, nil, args...)
	p.waitStatus(id, "completed")
	after := server.Requests()[len(before):]
	paid := map[string]bool{}
	for _, r := range before[:answered] {
		paid[string(r.Body)] = true
	}
	for _, r := range after {
		require.False(t, paid[string(r.Body)], "a finished part was sent again")
		paid[string(r.Body)] = true
	}
	require.Len(t, before, answered+atOnce)
	require.Len(t, after, len(paid)-answered)
	require.GreaterOrEqual(t, len(paid), parts)
	_, v := p.call("GET", "/v1/recordings/"+id+"/transcript", "sk_sandbox_platform", nil)
	require.NotEmpty(t, v["utterances"])
	require.NoError(t, p.signal(syscall.SIGTERM))
}

// exec starts the sandbox with the chosen services.
func TestExecWithBackend(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	server := backendtest.NewWhisperCPP(t)
	code, out, errOut := cli(t, "exec", "--transcriber", "whispercpp", "--transcriber-url", server.URL, "--", "sh", "-c", `curl -s "$SOUNDSTAGE_CONTROL_URL/health"`)
	require.Zero(t, code, errOut)
	require.Contains(t, out, `"kind":"whispercpp"`)
	require.True(t, strings.HasSuffix(strings.TrimSpace(out), "}"))
}

// The health endpoint uses the same constants as package backends.
func TestHealthDescribesBackends(t *testing.T) {
	t.Parallel()
	require.Equal(t, backends.Fake, control.FakeBackend)
	require.Equal(t, backends.Recorded, control.Recorded)
	require.Equal(t, backends.Replayed, control.Replayed)
	health := healthBackends(backends.Descriptions{Transcriber: backends.Description{Kind: "openai", Model: "m", Address: "http://a", Answers: backends.Replayed}})
	require.Equal(t, control.Backend{Kind: "openai", Model: "m", Address: "http://a", Answers: control.Replayed}, health.Transcriber)
	require.Equal(t, control.Backend{}, health.LLM)
}
