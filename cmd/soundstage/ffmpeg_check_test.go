package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/render"
)

// Programs that passed aren't run again, until one of their files changes. Those that failed are.
func TestFFmpegPassesOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("HOME", dir) // of which macOS derives the cache folder
	install := func(name, version string) string {
		path := filepath.Join(dir, name)
		executable.Write(t, path, "#!/bin/sh\nmkdir "+dir+"/run-$$\necho "+name+" version "+version+" Copyright\n") // it may not write files
		return path
	}
	f := render.FFmpeg{FFmpeg: install("ffmpeg", "4.3"), FFprobe: install("ffprobe", "4.4.100")}
	check := func(run bool) error {
		t.Helper()
		err := checkFFmpegVersion(t.Context(), f)
		runs, globErr := filepath.Glob(filepath.Join(dir, "run-*"))
		require.NoError(t, globErr)
		require.Equal(t, run, len(runs) > 0) // one, if it fails before the other has begun
		for _, run := range runs {
			require.NoError(t, os.Remove(run))
		}
		return err
	}
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(check(true)))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(check(true)), "failed programs aren't remembered")
	install("ffmpeg", "4.4.101")
	require.NoError(t, check(true))
	require.NoError(t, check(false))
	install("ffprobe", "4.3")
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(check(true)))
	require.NoError(t, os.Remove(f.FFprobe))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(check(false)))
}
