package emulator

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// renderer makes the engine's port of render.FFmpeg: it renders to a temporary file and hands its bytes on.
type renderer struct{ ffmpeg func() (render.FFmpeg, error) }

var (
	_ engine.Renderer       = renderer{}
	_ engine.PosterRenderer = renderer{}
)

// Render implements engine.Renderer.
func (r renderer) Render(ctx context.Context, req engine.RenderRequest) (string, error) {
	const op = "Render"
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(ffmpeg.TempDir, "soundstage-render-")
	if err != nil {
		return "", engine.Errorf(engine.CodeUnavailable, op, "There is no place for temporary files.").Because(err).Transient()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "render.mp4")
	result, err := ffmpeg.Render(ctx, req.Source, render.Request{
		Window: req.Window, Words: req.Words, Language: req.Language, Title: req.Title,
		Aspect: req.AspectRatio, Style: req.Style, Cues: BuildCues,
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

// Poster implements engine.PosterRenderer.
func (r renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return err
	}
	at, err := ffmpeg.Loudest(ctx, req.Video, render.Request{
		Window: engine.Window{End: engine.MaxWindow}, Words: req.Words, Language: req.Language,
		Aspect: req.AspectRatio, Style: req.Style, Cues: BuildCues,
	})
	if err != nil {
		return err
	}
	return ffmpeg.Poster(ctx, req.Video, at, 0, req.Output)
}

// BuildCues is the caption builder of package formats as package render takes it, so that burnt-in captions break like exported
// ones; the two packages don't know each other. Captions of a few words at a time are render's own.
func BuildCues(words []engine.Word, language engine.Language, limits render.CueLimits) []render.Cue {
	if limits.Words > 0 {
		return render.GroupWords(words, language, limits)
	}
	t := engine.TranscriptText{Language: language, Utterances: engine.BuildUtterances(words, language)}
	var cues []render.Cue
	for _, c := range formats.Cues(t, formats.Options{Captions: formats.CaptionOptions{
		Columns: limits.Columns, Lines: limits.Lines, Hang: 300 * time.Millisecond, MaxPause: 800 * time.Millisecond,
	}}) {
		cue := render.Cue{Start: c.Start, End: c.End}
		for _, l := range c.Lines {
			cue.Lines = append(cue.Lines, l.Words)
		}
		cues = append(cues, cue)
	}
	return cues
}
