package render_test

import (
	"bytes"
	"errors"
	"image/jpeg"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// request returns a render of two seconds of the conversation.
func request(out *bytes.Buffer) engine.RenderRequest {
	return engine.RenderRequest{
		Source: localFile(shared("conversation.mp4")), Words: wordsOf("one two three", 2*time.Second, 4*time.Second), Language: "en",
		Window: window(2000, 4000), Style: engine.StyleCaptions, AspectRatio: engine.AspectOriginal, Output: out,
	}
}

// A renderer writes the whole video and its poster, and leaves no file behind.
func TestRenderer(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	r := render.Renderer{FFmpeg: render.FFmpeg{TempDir: dir}}
	var video, picture bytes.Buffer
	message, err := r.Render(t.Context(), request(&video))
	require.NoError(t, err)
	require.Empty(t, message)
	require.Equal(t, []string{"ftyp", "moov"}, boxes(video.Bytes())[:2])
	file := filepath.Join(t.TempDir(), "made.mp4")
	require.NoError(t, os.WriteFile(file, video.Bytes(), 0o600))
	require.NoError(t, r.Poster(t.Context(), engine.PosterRequest{
		Video: localFile(file), Words: wordsOf("one two three", 0, 2*time.Second), Language: "en",
		Style: engine.StyleCaptions, AspectRatio: engine.AspectOriginal, Output: &picture,
	}))
	shown, err := jpeg.DecodeConfig(&picture)
	require.NoError(t, err)
	require.Positive(t, shown.Width)
	require.Empty(t, folder(t, dir))
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

// Errors around ffmpeg are returned: no space for temporary files, an output that fails.
func TestRendererErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	_, err := render.Renderer{FFmpeg: render.FFmpeg{TempDir: filepath.Join(t.TempDir(), "nowhere")}}.Render(t.Context(), request(&bytes.Buffer{}))
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.True(t, e.Retryable)

	req := request(nil)
	req.Output = brokenWriter{}
	dir := t.TempDir()
	_, err = render.Renderer{FFmpeg: render.FFmpeg{TempDir: dir}}.Render(t.Context(), req)
	require.ErrorIs(t, err, errBroken)
	require.Empty(t, folder(t, dir))
}
