package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// TestMain runs the program instead of the tests if CLIPPER_MAIN is set.
func TestMain(m *testing.M) {
	if os.Getenv("CLIPPER_MAIN") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// The program renders a clip of a video, and prints its progress up to the end.
func TestClipper(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	if _, err := exec.LookPath("ffmpeg"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("ffmpeg is missing: run `make setup`")
	}
	clip := filepath.Join(t.TempDir(), "clip.mp4")
	cmd := exec.Command(os.Args[0], "../../../testdata/conversation.mp4", clip)
	cmd.Env = append(os.Environ(), "CLIPPER_MAIN=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "transcribing 100 %\n")
	require.Contains(t, string(out), "clipping \"")
	require.Contains(t, string(out), "rendering 100 % ")
	video, err := os.ReadFile(clip)
	require.NoError(t, err)
	require.Greater(t, len(video), 50_000)
	require.Equal(t, "ftyp", string(video[4:8]))

	cmd = exec.Command(os.Args[0], "../../../testdata/notmedia.wav", clip+"2")
	cmd.Env = append(os.Environ(), "CLIPPER_MAIN=1")
	out, err = cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "not audio or video")
	require.NoFileExists(t, clip+"2")
}
