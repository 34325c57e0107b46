package render

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Renderer implements engine.Renderer and engine.PosterRenderer with ffmpeg: it is the Renderer of an engine.Config. The zero
// value runs the programs in PATH. It keeps no state: many goroutines may use it.
type Renderer struct {
	FFmpeg FFmpeg // programs, limits, and the folder for half-made videos
}

var (
	_ engine.Renderer       = Renderer{}
	_ engine.PosterRenderer = Renderer{}
)

// Render writes the video of a window to req.Output, after it is complete, and returns what the user should know about it.
//
// Errors are those of FFmpeg.Render; CodeUnavailable, to be tried again, when there is no place for temporary files; and what
// req.Output returns.
func (r Renderer) Render(ctx context.Context, req engine.RenderRequest) (message string, err error) {
	const op = "Render"
	dir, err := os.MkdirTemp(r.FFmpeg.TempDir, "soundstage-render-")
	if err != nil {
		return "", engine.Errorf(engine.CodeUnavailable, op, "There is no place for temporary files.").Because(err).Transient()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "render.mp4")
	result, err := r.FFmpeg.Render(ctx, req.Source, Request{
		Window: req.Window, Words: req.Words, Language: req.Language, Title: req.Title,
		Aspect: req.AspectRatio, Style: req.Style,
	}, path, req.Progress)
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", engine.Errorf(engine.CodeInternal, op, "The video is gone.").Because(err)
	}
	defer func() { _ = f.Close() }()
	_, err = io.Copy(req.Output, f)
	return result.Message, err
}

// Poster writes a JPEG of a video that Render made: of the loudest moment that has a caption, or of its middle where it has none.
// Errors are those of FFmpeg.Loudest and FFmpeg.Poster.
func (r Renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	at, err := r.FFmpeg.Loudest(ctx, req.Video, Request{
		Window: transcript.Window{End: transcript.MaxWindow}, Words: req.Words, Language: req.Language,
		Aspect: req.AspectRatio, Style: req.Style,
	})
	if err != nil {
		return err
	}
	return r.FFmpeg.Poster(ctx, req.Video, at, 0, req.Output)
}
