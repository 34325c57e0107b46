package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// A picture of two rows fills a frame in every way, and is refused where the frame would be as small.
func TestTinyPicture(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	media := film(t, "tiny.mkv", "-f", "lavfi", "-i", "testsrc2=s=640x2:r=25:d=1", "-c:v", "ffv1")
	for _, fit := range render.Fits() {
		r := render.Request{Window: window(0, 400), Fit: fit, Words: wordsOf("A word", 0, 400*time.Millisecond)}
		_, result := rendered(t, media, r)
		require.Equal(t, 10, result.Frames, fit)
		if fit == render.Crop {
			require.Equal(t, "The crop shows less than 1 % of the picture.", result.Message)
		}
	}
	facts := film1080()
	facts.Video.Height = 2
	_, err := render.NewPlan(facts, speech(), render.Request{Window: window(0, 400), Aspect: engine.AspectOriginal})
	require.Equal(t, "The picture is too small for a video in its own aspect ratio: 1920×2 pixels.", code(t, engine.CodeInvalid, err).Msg)
}
