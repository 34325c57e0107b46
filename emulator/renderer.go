package emulator

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

// renderer is a render.Renderer whose folder for temporary files is made when something is rendered.
type renderer struct{ ffmpeg func() (render.FFmpeg, error) }

var (
	_ engine.Renderer       = renderer{}
	_ engine.PosterRenderer = renderer{}
)

// Render implements engine.Renderer.
func (r renderer) Render(ctx context.Context, req engine.RenderRequest) (string, error) {
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return "", err
	}
	return render.Renderer{FFmpeg: ffmpeg, Cues: BuildCues}.Render(ctx, req)
}

// Poster implements engine.PosterRenderer.
func (r renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return err
	}
	return render.Renderer{FFmpeg: ffmpeg, Cues: BuildCues}.Poster(ctx, req)
}

// BuildCues is the caption builder of package formats as package render takes it, so that burnt-in captions break like exported
// ones; the two packages don't know each other. Captions of a few words at a time are render's own.
func BuildCues(words []transcript.Word, language transcript.Language, limits render.CueLimits) []render.Cue {
	if limits.Words > 0 {
		return render.GroupWords(words, language, limits)
	}
	t := transcript.Transcript{Language: language, Utterances: transcript.BuildUtterances(words, language)}
	var cues []render.Cue
	for _, c := range formats.Cues(t, nil, formats.CaptionOptions{
		Columns: limits.Columns, Lines: limits.Lines, Hang: 300 * time.Millisecond, MaxPause: 800 * time.Millisecond,
	}) {
		cue := render.Cue{Start: c.Start, End: c.End}
		for _, l := range c.Lines {
			cue.Lines = append(cue.Lines, l.Words)
		}
		cues = append(cues, cue)
	}
	return cues
}
