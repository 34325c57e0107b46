package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// TestMain runs the program instead of the tests if WATCH_MAIN is set.
func TestMain(m *testing.M) {
	if os.Getenv("WATCH_MAIN") == "1" {
		main()
	}
	os.Exit(m.Run())
}

// The program writes captions and a clip of a file. Killed before the clip is there, it goes on, and a third run changes nothing.
func TestWatch(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	if _, err := exec.LookPath("ffmpeg"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("ffmpeg is missing: run `make setup`")
	}
	folder, out := filepath.Join(t.TempDir(), "talks [2026]"), t.TempDir() // no pattern
	require.NoError(t, os.Mkdir(folder, 0o700))
	sound, err := os.ReadFile("../../../testdata/conversation.wav")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "talk.wav"), sound, 0o600))
	old := time.Now().Add(-time.Minute)
	require.NoError(t, os.Chtimes(filepath.Join(folder, "talk.wav"), old, old))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("no media"), 0o600))

	captions, clip := filepath.Join(out, "talk.wav.srt"), filepath.Join(out, "talk.wav.mp4")
	runUntil(t, folder, out, captions)
	runUntil(t, folder, out, clip)
	before, err := os.Stat(clip)
	require.NoError(t, err)
	require.Greater(t, before.Size(), int64(50_000))
	text, err := os.ReadFile(captions)
	require.NoError(t, err)
	require.Contains(t, string(text), " --> ")

	require.NoError(t, os.Remove(captions))
	runUntil(t, folder, out, captions)
	after, err := os.Stat(clip)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	require.ElementsMatch(t, []string{"notes", "talk"}, titles(t, out))
}

// runUntil runs the program until a file is there, and kills it.
func runUntil(t *testing.T, folder, out, file string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], folder, out)
	cmd.Env = append(os.Environ(), "WATCH_MAIN=1")
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	defer func() { _ = cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	require.Eventually(t, func() bool { _, err := os.Stat(file); return err == nil }, 5*time.Minute, 20*time.Millisecond, "%s", file)
}

// titles returns the titles of all recordings.
func titles(t *testing.T, out string) (titles []string) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), filepath.Join(out, "studio.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	eng, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	require.NoError(t, err)
	me, err := eng.CreateAccount(t.Context(), engine.NewAccount{AccountID: "studio"})
	require.NoError(t, err)
	page, err := eng.ListRecordings(t.Context(), me, engine.ListRecordings{})
	require.NoError(t, err)
	for _, r := range page.Recordings {
		titles = append(titles, r.Title)
	}
	return titles
}
