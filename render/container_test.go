package render_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// The extension of a file decides its container. A file that has none or another one is refused before anything runs.
func TestContainerOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]render.Container{
		"a.mp4": render.MP4, "a.M4V": render.MP4, "a.mp4.mov": render.MOV, "a.webm": render.WebM, "dir.x/a.gif": render.GIF,
	} {
		got, err := render.ContainerOf(name)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"a.avi", "a", "dir.mp4/a", "a.mp4 ", ""} {
		_, err := render.FFmpeg{}.Render(context.Background(), localFile(shared("tone.wav")), render.Request{Window: window(0, 1000)}, name, nil)
		require.Contains(t, code(t, engine.CodeInvalid, err).Hint, ".webm", name)
	}
}

// Each container has its codecs and as many frames as the window, and a GIF has no sound and a limit.
func TestContainers(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	for name, want := range map[string]string{"out.mov": "mov,mp4,m4a,3gp,3g2,mj2 h264 aac", "out.webm": "matroska,webm vp9 opus", "out.gif": "gif gif"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), name)
			r := render.Request{Window: window(0, 1000), ShortSide: 144, Words: wordsOf("One two.", 0, 1e9)}
			result, err := renderer.Render(context.Background(), localFile(shared("conversation.mp4")), r, out, nil)
			require.NoError(t, err)
			if name == "out.gif" {
				require.Equal(t, 13, result.Frames)
				r.Window = window(0, 15_001)
				_, err = renderer.Render(context.Background(), localFile(shared("conversation.mp4")), r, out, nil)
				require.Contains(t, code(t, engine.CodeInvalid, err).Msg, "15001 ms")
			} else {
				require.Equal(t, 25, result.Frames)
			}
			said, err := exec.Command("ffprobe", "-v", "error", "-of", "csv=print_section=0", "-show_entries", "format=format_name:stream=codec_name", out).Output()
			require.NoError(t, err)
			for _, part := range strings.Fields(want) {
				require.Contains(t, string(said), part)
			}
		})
	}
}
