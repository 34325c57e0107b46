package render_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/render"
)

// says returns a program that only prints a line.
func says(t *testing.T, line string) string {
	t.Helper()
	return program(t, "echo '"+line+"'")
}

// program returns a shell script.
func program(t *testing.T, lines string) string {
	t.Helper()
	needPrograms(t)
	path := filepath.Join(t.TempDir(), "program")
	executable.Write(t, path, "#!/bin/sh\n"+lines+"\n")
	return path
}

// A program that is missing, broken or too old is named, with the version that is needed and how to install it.
func TestCheckVersion(t *testing.T) {
	t.Parallel()
	const absent, how = "testdata/programs/absent", "apt install ffmpeg"
	ffmpeg, ffprobe := says(t, "ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026"), says(t, "ffprobe version 5.1.9-0+deb12u1 Copyright")
	for name, c := range map[string]struct {
		ffmpeg, ffprobe string
		want            string
	}{
		"both installed": {ffmpeg, ffprobe, ""},
		"no ffmpeg":      {absent, ffprobe, "ffmpeg is not installed, or not in PATH."},
		"no ffprobe":     {ffmpeg, absent, "ffprobe is not installed, or not in PATH."},
		"neither":        {absent, absent, "ffmpeg and ffprobe are not installed, or not in PATH."},
		// A file that can't be executed isn't a program.
		"no program": {"testdata/programs/notaprogram", ffprobe, "ffmpeg is not installed, or not in PATH."},
		"broken": {program(t, "echo 'error while loading shared libraries: libass.so.9' >&2; exit 127"), ffprobe,
			"ffmpeg is installed but can't be run."},
		"old ffmpeg":  {says(t, "ffmpeg version 4.3.9-0+deb11u1 Copyright"), ffprobe, "This machine's ffmpeg is too old: it is 4.3.9, and 4.4 or newer is needed."},
		"older":       {says(t, "ffmpeg version 3.4.11-0ubuntu0.1 Copyright"), ffprobe, "This machine's ffmpeg is too old: it is 3.4.11, and 4.4 or newer is needed."},
		"old ffprobe": {ffmpeg, says(t, "ffprobe version n2.8 Copyright"), "This machine's ffprobe is too old: it is 2.8, and 4.4 or newer is needed."},
		// These are new enough, or don't report a release.
		"just new enough": {says(t, "ffmpeg version 4.4 Copyright"), ffprobe, ""},
		"two digits":      {says(t, "ffmpeg version n10.0.1 Copyright"), ffprobe, ""},
		"a snapshot":      {says(t, "ffmpeg version N-115000-g5c43dc4d0b Copyright"), ffprobe, ""},
		"by date":         {says(t, "ffmpeg version 2024-01-01-git-abc Copyright"), ffprobe, ""},
		"another program": {says(t, "hello"), ffprobe, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := render.FFmpeg{FFmpeg: c.ffmpeg, FFprobe: c.ffprobe}.CheckVersion(context.Background())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			e := code(t, engine.CodeUnavailable, err)
			require.Equal(t, c.want, e.Msg)
			require.Contains(t, e.Hint, how)
			require.Contains(t, e.Hint, "4.4 or newer")
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code(t, engine.CodeCanceled, render.FFmpeg{FFmpeg: ffmpeg, FFprobe: ffprobe}.CheckVersion(ctx))
}

// Check finds programs without starting them: these would hang.
func TestCheck(t *testing.T) {
	t.Parallel()
	require.NoError(t, running(t, "hang").Check(context.Background()))
	code(t, engine.CodeUnavailable, render.FFmpeg{FFmpeg: "testdata/programs/absent"}.Check(context.Background()))
}

// Probe names an ffprobe that is too old.
func TestProbeByOldProgram(t *testing.T) {
	t.Parallel()
	f := render.FFmpeg{FFprobe: says(t, `{"program_version": {"version": "4.2.7-0ubuntu0.1"}, "format": {"format_name": "wav"}}`)}
	_, err := f.Probe(context.Background(), localFile(shared("tone.wav")))
	require.Equal(t, "This machine's ffprobe is too old: it is 4.2.7, and 4.4 or newer is needed.", code(t, engine.CodeUnavailable, err).Msg)
}

// Operations that need a missing program return CodeUnavailable.
func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	f := render.FFmpeg{FFmpeg: "testdata/programs/absent", FFprobe: "testdata/programs/absent"}
	_, err := f.Probe(context.Background(), localFile(shared("tone.wav")))
	require.Contains(t, code(t, engine.CodeUnavailable, err).Msg, "ffprobe")
	_, err = f.Decode(context.Background(), localFile(shared("tone.wav")))
	require.Contains(t, code(t, engine.CodeUnavailable, err).Msg, "ffmpeg")
}
