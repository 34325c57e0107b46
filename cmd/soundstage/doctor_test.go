package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/backendtest"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// runDoctor runs `soundstage doctor --json`.
func runDoctor(t *testing.T, args ...string) (code int, d diagnosis, checks map[string]finding) {
	t.Helper()
	needFFmpeg(t)
	code, out, errOut := cli(t, append([]string{"doctor", "--json"}, args...)...)
	require.NoError(t, json.Unmarshal([]byte(out), &d), "%s%s", out, errOut)
	checks = map[string]finding{}
	for _, f := range d.Checks {
		checks[f.Check] = f
	}
	require.NotContains(t, out+errOut, plantedKey)
	return code, d, checks
}

// If all checks pass, doctor prints each result and exits with 0.
func TestDoctorPasses(t *testing.T) {
	slow.Skip(t, "it renders video")
	t.Setenv("SOUNDSTAGE_LLM_KEY", plantedKey)
	speech, model := backendtest.NewWhisperCPP(t), backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: plantedKey})
	file := writeConfig(t, "transcriber: whispercpp\ntranscriber-url: "+speech.URL+"\nllm: openai\n")
	dir := filepath.Join(t.TempDir(), "not", "made", "yet")
	code, d, checks := runDoctor(t, "--config", file, "--llm-url", model.URL, "--llm-model", "small", "--data", dir, "--record", filepath.Join(dir, "exchanges"))
	require.Zero(t, code, "%+v", d)
	require.True(t, d.OK)
	require.Contains(t, checks["ffmpeg"].Found, "ffmpeg version")
	require.Equal(t, statusOK, checks["renders"].Status)
	require.Contains(t, checks["disk"].Found, "synced")
	require.Equal(t, statusOK, checks["transcriber"].Status)
	require.Contains(t, checks["transcriber"].Found, "whispercpp at "+speech.URL+" returned “")
	require.Equal(t, statusOK, checks["llm"].Status)
	require.Len(t, speech.Requests(), 1)
	require.NoDirExists(t, dir, "checks create no folders")

	from := map[string]origin{}
	for _, s := range d.Settings {
		from[s.Name] = s
	}
	require.Equal(t, origin{"transcriber", "whispercpp", file + ":1"}, from["transcriber"])
	require.Equal(t, origin{"transcriber-url", speech.URL, file + ":2"}, from["transcriber-url"])
	require.Equal(t, origin{"llm-model", "small", "flag"}, from["llm-model"])
	require.Equal(t, origin{"llm-key", "set", "SOUNDSTAGE_LLM_KEY"}, from["llm-key"])
	require.Equal(t, origin{"transcriber-key", "not set", "default"}, from["transcriber-key"])
	require.Equal(t, origin{"speakers-by", "", "default"}, from["speakers-by"])

	code, out, errOut := cli(t, "doctor", "--config", file, "--llm-url", model.URL, "--llm-model", "small", "--no-probe")
	require.Zero(t, code, errOut)
	require.NotContains(t, out, "\x1b", "no colours without a terminal")
	require.Regexp(t, `(?m)^skipped  transcriber  whispercpp at `, out)
	require.Regexp(t, `(?m)^  llm-key +set +SOUNDSTAGE_LLM_KEY$`, out)
	require.Contains(t, out, "All checks passed.")
	require.Len(t, speech.Requests(), 1)
}

// A failed check has a hint, the other checks still run, and the exit code is that of the first failure.
func TestDoctorFails(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it starts many programs")
	slow, wrongKey := backendtest.NewWhisperCPP(t), backendtest.NewOpenAIChat(t, backendtest.ModelOptions{Key: "another"})
	slow.Break(backendtest.Silent(time.Hour))
	quiet := backendtest.NewWhisperCPP(t, backendtest.EmptyResult)
	locked := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(locked, []byte(plantedKey), 0o600))
	loose := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(loose, []byte(plantedKey), 0o644))
	for name, c := range map[string]struct {
		args        []string
		code        int
		check       string
		status      checkStatus
		found, hint string
	}{
		"down":      {[]string{"--transcriber", "whispercpp", "--transcriber-url", "http://127.0.0.1:1"}, 5, "transcriber", statusFailed, "connection refused", "start the server"},
		"slow":      {[]string{"--transcriber", "whispercpp", "--transcriber-url", slow.URL, "--timeout", "15s"}, 5, "transcriber", statusFailed, "did not answer within 15", "--timeout"},
		"no text":   {[]string{"--transcriber", "whispercpp", "--transcriber-url", quiet.URL}, 0, "transcriber", statusWarning, "returned no text", "another model"},
		"wrong key": {[]string{"--llm", "openai", "--llm-url", wrongKey.URL, "--llm-model", "m", "--llm-key-file", locked}, 5, "llm", statusFailed, "did not accept the key", "Check the key"},
		"loose key": {[]string{"--llm", "openai", "--llm-url", wrongKey.URL, "--llm-model", "m", "--llm-key-file", loose}, 2, "backends", statusFailed, "mode is 0644", "chmod 600"},
		"no model":  {[]string{"--llm", "anthropic"}, 2, "backends", statusFailed, "needs the name of a model", "--llm-model"},
		"no folder": {[]string{"--transcriber", "whispercpp", "--replay", "/nothing/there"}, 2, "backends", statusFailed, "/nothing/there", ""},
		"no disk":   {[]string{"--data", "/proc/soundstage"}, 5, "disk", statusFailed, "Can't write to", "--data"},
	} {
		if name == "no disk" && runtime.GOOS != "linux" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, d, checks := runDoctor(t, c.args...)
			require.Equal(t, c.code, code, "%+v", d)
			require.Equal(t, code == 0, d.OK)
			f, ok := checks[c.check]
			require.True(t, ok, "%+v", d)
			require.Equal(t, c.status, f.Status)
			require.Contains(t, f.Found, c.found)
			require.Contains(t, strings.Join(f.Hints, " "), c.hint)
			require.Equal(t, statusOK, checks["ffmpeg"].Status, "the other checks still run")
		})
	}
}

// Without ffmpeg, doctor says how to install it.
func TestDoctorWithoutFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, out, _ := cli(t, "doctor")
	require.Equal(t, 5, code)
	require.Regexp(t, `(?m)^failed   ffmpeg       ffmpeg and ffprobe are not installed`, out)
	require.Contains(t, out, "→ Install FFmpeg")
	require.Contains(t, out, "Some checks failed.")
}

// Each verdict has its own colour on a terminal, and none without one.
func TestDoctorColours(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, v := range []checkStatus{statusOK, statusWarning, statusFailed, statusSkipped} {
		require.NotEmpty(t, colours[v])
		require.False(t, seen[colours[v]])
		seen[colours[v]] = true
	}
	require.False(t, wantsColour(&bytes.Buffer{}))
}
