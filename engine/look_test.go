package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// looks is a Renderer that stores styles in capitals, and refuses the style "ugly".
type looks struct{ draws }

func (looks) CheckLook(look string) (string, error) {
	if look == "ugly" {
		return "", engine.Errorf(engine.CodeInvalid, "Style", "The style is ugly.")
	}
	return strings.ToUpper(look), nil
}

// A render keeps its style as data in the form that the renderer returned, and renders with it. Names of speakers are given to the renderer.
func TestRenderLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got engine.RenderRequest
		s := newStage(t, engine.Config{Renderer: looks{func(_ context.Context, req engine.RenderRequest) (string, error) {
			got = req
			return "", nil
		}}})
		stop := s.start()
		r := s.render(engine.NewRender{Look: "wide"})
		require.Equal(t, "WIDE", r.Look)
		r, err := s.WaitRender(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "WIDE", r.Look)
		require.Equal(t, "WIDE", got.Look)
		require.Equal(t, transcript.Window{End: got.Window.End + transcript.MaxWindow}, got.Quiet, "no word is around the window")

		for look, want := range map[string]string{
			"ugly":                         "The style is ugly.",
			strings.Repeat("x", 256<<10+1): "The look is larger than 256 KiB (got 256 KiB).",
		} {
			_, err = s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.RecordingID, Window: r.Window, Look: look})
			requireCode(t, engine.CodeInvalid, err)
			require.ErrorContains(t, err, want)
		}
		stop()
	})
}

// A renderer without styles as data refuses one instead of ignoring it.
func TestRenderLookUnavailable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Renderer: drawsSlowly(0)})
		stop := s.start()
		r := s.render(engine.NewRender{})
		_, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: r.RecordingID, Window: r.Window, Look: "{}"})
		requireCode(t, engine.CodeUnavailable, err)
		stop()
	})
}

// The silence around a window ends at the words before and after it, also when they reach into the window.
func TestQuietAround(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{{Start: 0, End: 900}, {Start: 1000, End: 1500}, {Start: 1900, End: 2100}}
	w := func(start, end time.Duration) transcript.Window { return transcript.Window{Start: start, End: end} }
	require.Equal(t, w(900, 1900), transcript.QuietAround(words, w(1000, 1500)))
	require.Equal(t, w(800, 2000), transcript.QuietAround(words, w(800, 2000)))
	require.Equal(t, w(0, 2100+transcript.MaxWindow), transcript.QuietAround(words, w(0, 2100)))
}
