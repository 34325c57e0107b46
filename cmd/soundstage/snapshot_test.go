package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

const speakersPath = "/v1/spaces/" + string(emulator.SandboxSpaceID) + "/speakers"

// speakers returns the number of speakers in the sandbox's space.
func (p *process) speakers() int {
	p.t.Helper()
	status, v := p.call("GET", speakersPath, "sk_sandbox_platform", nil)
	require.Equal(p.t, 200, status, "%v", v)
	return len(v["speakers"].([]any))
}

func (p *process) addSpeaker(name string) {
	p.t.Helper()
	status, v := p.call("POST", speakersPath, "sk_sandbox_platform", map[string]any{"name": name})
	require.Equal(p.t, 201, status, "%v", v)
}

// A world is saved, changed, and restored. Another sandbox starts with the same file. An invalid file changes nothing.
func TestSnapshotCommands(t *testing.T) {
	t.Parallel()
	p := serveProcess(t, nil, "--clock", "manual")
	file := filepath.Join(t.TempDir(), "before.soundstage")
	p.addSpeaker("one")
	had := p.speakers()
	code, out, errOut := cli(t, "snapshot", "save", file, "--server", p.url)
	require.Zero(t, code, errOut)
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, file+"  "+strconv.Itoa(len(raw))+" bytes\n", out)
	p.addSpeaker("two")
	require.Equal(t, had+1, p.speakers())

	half := filepath.Join(t.TempDir(), "half.soundstage")
	require.NoError(t, os.WriteFile(half, raw[:len(raw)/2], 0o600))
	code, _, errOut = cli(t, "snapshot", "load", half, "--server", p.url)
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "The snapshot is truncated")
	require.Equal(t, had+1, p.speakers(), "the world is unchanged")

	code, out, errOut = cli(t, "snapshot", "load", file, "--server", p.url)
	require.Zero(t, code, errOut)
	require.Equal(t, file+"  loaded\n", out)
	require.Equal(t, had, p.speakers())

	begun := serveProcess(t, nil, "--snapshot", file)
	require.Equal(t, had, begun.speakers())
	said, err := programCommand("serve", "--addr", "127.0.0.1:0", "--snapshot", half).CombinedOutput()
	require.Equal(t, 2, exitCodeOf(t, err), "%s", said)
	require.Contains(t, string(said), "The snapshot is truncated")

	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"save", file, "--world", "nobody"}, 3, "nobody"},
		{[]string{"load", file, "--world", "nobody"}, 3, "nobody"},
		{[]string{"save", filepath.Join(file, "x")}, 2, "can't be written"},
		{[]string{"load", file + ".not"}, 3, "can't be read"},
		{[]string{"save"}, 2, "expected a file (got 0 arguments)"},
	} {
		code, _, errOut := cli(t, append(append([]string{"snapshot"}, c.args...), "--server", p.url)...)
		require.Equal(t, c.code, code, "%v: %s", c.args, errOut)
		require.Contains(t, errOut, c.says)
	}
}

// startStallingServer starts a server that sends half of its response and then waits for hang to be closed. It sends to begun when the client has
// read more than any socket buffer holds.
func startStallingServer(t *testing.T, hang <-chan struct{}) (url string, begun chan struct{}) {
	t.Helper()
	begun = make(chan struct{}, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(128<<20))
		piece := bytes.Repeat([]byte("PK\x03\x04"), 1<<18)
		for range 64 {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
		begun <- struct{}{}
		select {
		case <-hang:
		case <-req.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, begun
}

// An interrupted save leaves an existing file unchanged, and creates no new one.
func TestSnapshotSaveIsAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, none := filepath.Join(dir, "old.soundstage"), filepath.Join(dir, "none.soundstage")
	require.NoError(t, os.WriteFile(old, []byte("old"), 0o600))
	asItWas := func() {
		t.Helper()
		raw, err := os.ReadFile(old)
		require.NoError(t, err)
		require.Equal(t, "old", string(raw))
		require.NoFileExists(t, none)
	}
	ended := make(chan struct{})
	close(ended)
	cut, _ := startStallingServer(t, ended)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("no zip")) }))
	t.Cleanup(other.Close)
	for _, file := range []string{old, none} {
		code, _, errOut := cli(t, "snapshot", "save", file, "--server", other.URL)
		require.Equal(t, 2, code)
		require.Contains(t, errOut, "The file is not a snapshot")
		asItWas()
	}
	code, _, errOut := cli(t, "snapshot", "save", old, "--server", cut)
	require.Equal(t, 5, code)
	require.Contains(t, errOut, "download was interrupted; "+old+" is unchanged.")
	asItWas()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "no partial file is left")

	for _, file := range []string{old, none} {
		url, begun := startStallingServer(t, nil)
		cmd := programCommand("snapshot", "save", file, "--server", url)
		require.NoError(t, cmd.Start())
		<-begun
		require.NoError(t, cmd.Process.Kill())
		require.Error(t, cmd.Wait())
		asItWas()
	}
}

// Replaying a capsule gives the same responses. A different status is reported, and an invalid capsule is an error.
func TestReplayCommand(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it runs whole jobs twice")
	file := filepath.Join(t.TempDir(), "run.capsule.json")
	p := serveProcess(t, nil, "--clock", "manual", "--capsule", file)
	p.addSpeaker("one")
	p.record("tone.wav")
	status, _ := p.call("POST", "/_soundstage/clock/advance", "", map[string]any{"by": "1m"})
	require.Equal(t, 200, status)
	p.speakers()
	require.NoError(t, p.signal(syscall.SIGTERM), p.stderr)

	code, out, errOut := cli(t, "replay", file)
	require.Zero(t, code, out+errOut)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 6, out)
	for _, line := range lines {
		require.True(t, strings.HasPrefix(line, "= "), line)
	}
	code, out, _ = cli(t, "replay", file, "--until", "2")
	require.Zero(t, code)
	require.Equal(t, lines[:2], strings.Split(strings.TrimSpace(out), "\n"))

	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	c, err := capsule.Parse(raw)
	require.NoError(t, err)
	c.Requests[0].Status = 418
	changed, err := json.Marshal(c)
	require.NoError(t, err)
	wrong := filepath.Join(t.TempDir(), "wrong.json")
	require.NoError(t, os.WriteFile(wrong, changed, 0o600))
	code, out, errOut = cli(t, "replay", wrong)
	require.Equal(t, 1, code, errOut)
	require.Contains(t, out, "≠   1  201, was 418  POST "+speakersPath+"\n")
	require.Contains(t, errOut, "1 of 6 requests differ.")
	code, out, _ = cli(t, "replay", wrong, "--json")
	require.Equal(t, 1, code)
	var v struct {
		Same     bool
		Requests []struct{ Was, Is int }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	require.False(t, v.Same)
	require.Len(t, v.Requests, 6)
	require.Equal(t, []int{418, 201}, []int{v.Requests[0].Was, v.Requests[0].Is})

	require.NoError(t, os.WriteFile(wrong, raw[:len(raw)/2], 0o600))
	for _, args := range [][]string{{wrong}, {file, "--until", "-1"}, {}} {
		code, out, errOut := cli(t, append([]string{"replay"}, args...)...)
		require.Equal(t, 2, code, "%v: %s", args, errOut)
		require.Empty(t, out)
	}
}
