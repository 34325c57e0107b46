package engine_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// Defaults of renders are stored with each render that chooses no style. A style is for its kind of media only, and a target doesn't decide
// the aspect ratio.
func TestRenderDefaults(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		defaults engine.RenderDefaults
		asked    engine.NewRender
		style    engine.RenderStyle
		look     string
		target   engine.Target
		aspect   engine.AspectRatio
	}{
		"none":        {engine.RenderDefaults{}, engine.NewRender{}, "audiogram", "", "", "9:16"},
		"style":       {engine.RenderDefaults{Style: "bars"}, engine.NewRender{}, "bars", "", "", "9:16"},
		"of video":    {engine.RenderDefaults{Style: "boxed"}, engine.NewRender{}, "audiogram", "", "", "9:16"},
		"look":        {engine.RenderDefaults{Look: "wide"}, engine.NewRender{}, "audiogram", "WIDE", "", "9:16"},
		"target":      {engine.RenderDefaults{Target: "web"}, engine.NewRender{}, "audiogram", "", "web", "9:16"},
		"own style":   {engine.RenderDefaults{Look: "wide", Target: "web"}, engine.NewRender{Style: "bars"}, "bars", "", "web", "9:16"},
		"own look":    {engine.RenderDefaults{Style: "bars"}, engine.NewRender{Look: "mine"}, "audiogram", "MINE", "", "9:16"},
		"own target":  {engine.RenderDefaults{Target: "web"}, engine.NewRender{Target: "linkedin"}, "audiogram", "", "linkedin", "4:5"},
		"own aspects": {engine.RenderDefaults{Target: "web"}, engine.NewRender{AspectRatio: "1:1"}, "audiogram", "", "web", "1:1"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got engine.RenderRequest
			s := newStage(t, engine.Config{Renders: c.defaults, Renderer: looks{func(_ context.Context, req engine.RenderRequest) (string, error) {
				got = req
				return "", nil
			}}})
			stop := s.start()
			r, err := s.WaitRender(t.Context(), s.caller, s.render(c.asked).ID)
			require.NoError(t, err, name)
			want := []any{c.style, c.look, c.target, c.aspect}
			require.Equal(t, want, []any{r.Style, r.Look, r.Target, r.AspectRatio}, name)
			require.Equal(t, want, []any{got.Style, got.Look, got.Target, got.AspectRatio}, name)
			stop()
		})
	}
}

// Wrong defaults of renders are errors of New.
func TestRenderDefaultsErrors(t *testing.T) {
	t.Parallel()
	for says, d := range map[string]engine.RenderDefaults{
		"Unknown style": {Style: "bold-pop"}, "Unknown target": {Target: "vine"}, "set twice": {Style: "bars", Look: "wide"}, "is ugly": {Look: "ugly"},
		"larger than 256 KiB": {Look: strings.Repeat("x", 256<<10+1)},
	} {
		_, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs(), Renderer: looks{}, Renders: d})
		requireCode(t, engine.CodeInvalid, err)
		require.ErrorContains(t, err, says)
	}
	_, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs(), Renders: engine.RenderDefaults{Look: "wide"}})
	requireCode(t, engine.CodeUnavailable, err)
}
