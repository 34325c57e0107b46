package render_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	ffmpeg "github.com/u2takey/ffmpeg-go"

	"github.com/soundstage-dev/soundstage/internal/golden"
	"github.com/soundstage-dev/soundstage/render"
)

func TestArguments(t *testing.T) {
	t.Parallel()
	decoding := func(channels int) []string {
		args, err := render.DecodeArgs("/media/in.mp4", channels)
		require.NoError(t, err)
		return args
	}
	copying, err := render.CopyArgs("/media/in.mp4")
	require.NoError(t, err)
	for name, args := range map[string][]string{
		"copy":        copying,
		"probe":       render.ProbeArgs("/media/in.mp4"),
		"packets":     render.PacketArgs("/media/in.mp4", "5.1.9-0+deb12u1"),
		"decode":      decoding(0),
		"decode-many": decoding(14),
	} {
		// Each command equals its reviewed golden file.
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := strings.Join(args, "\n") + "\n"
			require.Equal(t, golden.Read(t, filepath.Join("testdata", name+".golden"), []byte(got)), got)
		})
		// Each command opens local files only, with few demuxers, and no large pictures.
		t.Run(name+" limits input", func(t *testing.T) {
			t.Parallel()
			value := map[string]string{}
			for i := range len(args) - 1 {
				value[args[i]] = args[i+1]
			}
			require.Equal(t, "file", value["-protocol_whitelist"])
			require.Equal(t, "file:/media/in.mp4", value["-i"])
			require.NotEmpty(t, value["-max_pixels"])
			for _, demuxer := range []string{"hls", "concat", "image2", "lavfi", "dash", "sdp", "tty", "txt"} {
				require.NotContains(t, strings.Split(value["-format_whitelist"], ","), demuxer)
			}
		})
	}
}

// Only releases that have the option -o get it.
func TestPacketsOfOldReleases(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{
		"4.4.5": false, "n5.0.2": false, "5.1": true, "6.0-static": true, "n10.0.1": true, "N-115000-g5c43dc4d0b": false, "2024-01-01-git-abc": false, "": false,
	} {
		require.Equal(t, want, slices.Contains(render.PacketArgs("/media/in.mp3", printed), "-o"), printed)
	}
}

// A panic of ffmpeg-go becomes an error.
func TestCompilePanics(t *testing.T) {
	t.Parallel()
	_, err := render.Compile(func() *ffmpeg.Stream { return ffmpeg.Input("in").Get("a").Get("0").Output("out") })
	require.ErrorContains(t, err, "stream already has a selector")
}
