package engine_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
)

// pictures is a Renderer that also makes posters.
type pictures struct {
	draws
	poster func(context.Context, engine.PosterRequest) error
}

func (p pictures) Poster(ctx context.Context, req engine.PosterRequest) error {
	return p.poster(ctx, req)
}

// A poster uses the video and its words, with times relative to the video, once the render is completed.
func TestRenderPoster(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got engine.PosterRequest
		s := newStage(t, engine.Config{Renderer: pictures{drawsSlowly(time.Minute), func(ctx context.Context, req engine.PosterRequest) error {
			got = req
			body, err := req.Video.Open(ctx, 0, -1)
			if err != nil {
				return err
			}
			defer func() { _ = body.Close() }()
			if _, err := io.WriteString(req.Output, "picture of "); err != nil {
				return err
			}
			_, err = io.Copy(req.Output, body)
			return err
		}}})
		stop := s.start()
		r := s.render(engine.NewRender{Window: sample.Window(1000, 1500), Style: engine.StyleBars, AspectRatio: engine.AspectSquare})
		_, err := s.RenderPoster(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "rendering")
		r, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		picture, err := s.RenderPoster(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "picture of video", string(picture))
		require.Equal(t, engine.StyleBars, got.Style)
		require.Equal(t, engine.AspectSquare, got.AspectRatio)
		require.NotEmpty(t, got.Words)
		require.Zero(t, got.Words[0].Start, "the first word starts with the window")
		require.LessOrEqual(t, got.Words[len(got.Words)-1].End, r.Window.End-r.Window.Start)

		again, err := s.RenderPoster(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, picture, again)
		_, err = s.RenderPoster(t.Context(), s.caller, "nothing")
		requireCode(t, engine.CodeNotFound, err)
		other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
		require.NoError(t, err)
		_, err = s.RenderPoster(t.Context(), other, r.ID)
		requireCode(t, engine.CodeNotFound, err)
		stop()
	})
}

// A failed render has no poster, and a failed poster says why.
func TestRenderPosterFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var fails error
		s := newStage(t, engine.Config{Renderer: pictures{
			func(ctx context.Context, req engine.RenderRequest) (string, error) {
				if fails != nil {
					return "", fails
				}
				return drawsSlowly(0)(ctx, req)
			},
			func(context.Context, engine.PosterRequest) error {
				return engine.Errorf(engine.CodeUnavailable, "", "ffmpeg is not installed.")
			},
		}})
		stop := s.start()
		r := s.render(engine.NewRender{})
		_, err := s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		_, err = s.RenderPoster(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeUnavailable, err)
		require.Equal(t, "ffmpeg is not installed.", engine.Message(err))
		fails = engine.Errorf(engine.CodeBadMedia, "", "The file is damaged.")
		r = s.render(engine.NewRender{})
		_, err = s.WaitRender(t.Context(), s.caller, r.ID)
		require.Error(t, err)
		_, err = s.RenderPoster(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "failed")
		stop()
	})
	for name, renderer := range map[string]engine.Renderer{"no renderer": nil, "a renderer of videos alone": drawsSlowly(0)} {
		s := newStage(t, engine.Config{Renderer: renderer})
		_, err := s.RenderPoster(t.Context(), s.caller, "x")
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err), name)
	}
}
