package emulator

import (
	"context"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// renderer is a render.Renderer that creates its temporary folder when it first renders.
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
	return render.Renderer{FFmpeg: ffmpeg}.Render(ctx, req)
}

// Poster implements engine.PosterRenderer.
func (r renderer) Poster(ctx context.Context, req engine.PosterRequest) error {
	ffmpeg, err := r.ffmpeg()
	if err != nil {
		return err
	}
	return render.Renderer{FFmpeg: ffmpeg}.Poster(ctx, req)
}
