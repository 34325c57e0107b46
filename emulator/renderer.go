package emulator

import (
	"context"
	"sync/atomic"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// renderer is a render.Renderer with a world's defaults, that creates its temporary folder when it first renders.
type renderer struct {
	ffmpeg   func() (render.FFmpeg, error)
	defaults *atomic.Pointer[RenderDefaults]
}

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
	var look *render.Style
	req.Style, req.Target, look = r.defaults.Load().apply(req.Style, req.Target)
	req.Chapters = nil // the same requests give the same bytes, however soon chapters are generated after the transcript
	return render.Renderer{FFmpeg: ffmpeg, Look: look}.Render(ctx, req)
}

// Poster implements engine.PosterRenderer.
func (r renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return err
	}
	var look *render.Style
	req.Style, _, look = r.defaults.Load().apply(req.Style, "")
	return render.Renderer{FFmpeg: ffmpeg, Look: look}.Poster(ctx, req)
}
