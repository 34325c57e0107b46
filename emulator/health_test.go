package emulator_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/render"
)

// healthOf returns the status and the problems of a server's health.
func healthOf(t *testing.T, s *emulator.Server) (status int, problems string) {
	t.Helper()
	status, v := call(t, "GET", s.URL()+"/_soundstage/health", "")
	if status == 200 {
		require.Equal(t, "ok", v["status"])
		require.NotContains(t, v, "problems")
		return status, ""
	}
	require.Equal(t, "degraded", v["status"], "%v", v)
	return status, fmt.Sprint(v["problems"])
}

// Health is 503 with the reason while a file of the database is away, and no write succeeds; it recovers when the file is back.
func TestHealthOfDeletedFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := start(t, emulator.Options{DataDir: dir})
	status, _ := healthOf(t, s)
	require.Equal(t, 200, status)
	for _, name := range []string{"soundstage.db", "soundstage.db-wal", "blobs"} {
		path, away := filepath.Join(dir, name), filepath.Join(t.TempDir(), "away")
		require.NoError(t, os.Rename(path, away))
		status, problems := healthOf(t, s)
		require.Equal(t, 503, status, name)
		require.Contains(t, problems, "deleted", name)
		if name != "blobs" {
			status, v := call(t, "POST", s.URL()+"/v1/uploads", anUpload)
			require.Equal(t, 503, status, "%s: %v", name, v)
			require.Contains(t, v["error"], "deleted")
		}
		require.NoError(t, os.Rename(away, path))
		status, _ = healthOf(t, s)
		require.Equal(t, 200, status, name)
		status, _ = call(t, "POST", s.URL()+"/v1/uploads", anUpload)
		require.Equal(t, 201, status, name)
	}
}

// Health is 503 while ffmpeg is away, says what to install, and recovers without a restart.
func TestHealthWithoutFFmpeg(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	installed, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.Symlink(installed, program))
	s := start(t, emulator.Options{FFmpeg: render.FFmpeg{FFmpeg: program}})
	status, _ := healthOf(t, s)
	require.Equal(t, 200, status)
	require.NoError(t, os.Remove(program))
	status, problems := healthOf(t, s)
	require.Equal(t, 503, status)
	require.Contains(t, problems, "ffmpeg is not installed, or not in PATH. Install FFmpeg 4.4 or newer")
	require.NoError(t, os.Symlink(installed, program))
	status, _ = healthOf(t, s)
	require.Equal(t, 200, status)
}

// A database that was deleted while the server didn't run isn't replaced by an empty one beside the stored files.
func TestEmptyDatabaseBesideFiles(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	s, err := emulator.New(t.Context(), emulator.Options{DataDir: dir})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	blobs, err := files.New(filepath.Join(dir, "blobs"), files.Options{})
	require.NoError(t, err)
	w, err := blobs.Create(t.Context(), "uploads/a", engine.BlobMeta{})
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
	require.NoError(t, os.Rename(filepath.Join(dir, "soundstage.db"), filepath.Join(dir, "backup")))
	for range 2 { // the first start leaves an empty database
		_, err = emulator.New(t.Context(), emulator.Options{DataDir: dir})
		require.Equal(t, engine.CodeConflict, engine.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, "is empty, but the folder blobs beside it has files")
	}
	_, err = blobs.Stat(context.WithoutCancel(t.Context()), "uploads/a")
	require.NoError(t, err, "the file is still there")
	require.NoError(t, os.Rename(filepath.Join(dir, "backup"), filepath.Join(dir, "soundstage.db")))
	s, err = emulator.New(t.Context(), emulator.Options{DataDir: dir})
	require.NoError(t, err)
	require.NoError(t, s.Close())
}

// A damaged row is refused at the start, with the commands that help.
func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "soundstage.db")
	store, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, store.Update(t.Context(), func(tx engine.Tx) error {
		return tx.PutSpeaker(engine.Speaker{ID: "s", Name: "Unmistakable"})
	}))
	require.NoError(t, store.Close())
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "Unmistakable", "Unmistakablf")), 0o600))
	_, err = emulator.New(t.Context(), emulator.Options{DataDir: dir})
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.ErrorContains(t, err, "is damaged")
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Contains(t, e.Hint, "soundstage verify DIR")
}
