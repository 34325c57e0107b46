package render_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const present, absent = "testdata/programs/hang", "testdata/programs/absent"
	for name, c := range map[string]struct {
		ffmpeg render.FFmpeg
		want   string
	}{
		// Nothing is missing, and nothing was started: the programs would hang.
		"both are there": {render.FFmpeg{FFmpeg: present, FFprobe: present}, ""},
		// What is missing is named.
		"no ffmpeg":  {render.FFmpeg{FFmpeg: absent, FFprobe: present}, "ffmpeg is not installed, or not in PATH."},
		"no ffprobe": {render.FFmpeg{FFmpeg: present, FFprobe: absent}, "ffprobe is not installed, or not in PATH."},
		"neither":    {render.FFmpeg{FFmpeg: absent, FFprobe: absent}, "ffmpeg and ffprobe are not installed, or not in PATH."},
		// A file that can't be executed is no program.
		"no program": {render.FFmpeg{FFmpeg: "testdata/programs/notaprogram", FFprobe: present}, "ffmpeg is not installed, or not in PATH."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			needPrograms(t)
			err := c.ffmpeg.Check(context.Background())
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			e := code(t, engine.CodeUnavailable, err)
			require.Equal(t, c.want, e.Msg)
			require.Contains(t, e.Hint, "apt install ffmpeg")
		})
	}
}

// Work that needs a missing program says so.
func TestMissingPrograms(t *testing.T) {
	t.Parallel()
	f := render.FFmpeg{FFmpeg: "testdata/programs/absent", FFprobe: "testdata/programs/absent"}
	_, err := f.Probe(context.Background(), localFile(shared("tone.wav")))
	require.Contains(t, code(t, engine.CodeUnavailable, err).Msg, "ffprobe")
	_, err = f.Decode(context.Background(), localFile(shared("tone.wav")))
	require.Contains(t, code(t, engine.CodeUnavailable, err).Msg, "ffmpeg")
}
