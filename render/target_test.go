package render_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// masks are what apps and players draw over a video: x, y, width, and height of boxes in a frame of the target's usual ratio. They are drawn
// here from the apps, apart from the insets that the code has.
var masks = map[engine.Target][][4]float64{
	engine.TargetTikTok:   {{0, 0, 1, 0.075}, {0.885, 0.4, 0.115, 0.45}, {0, 0.77, 1, 0.23}},               // tabs, buttons, name and text
	engine.TargetReels:    {{0, 0, 1, 0.14}, {0.89, 0.45, 0.11, 0.4}, {0, 0.65, 1, 0.35}},                  // Meta's zones and the buttons
	engine.TargetShorts:   {{0, 0, 1, 0.15}, {0.83, 0.4, 0.17, 0.5}, {0, 0.75, 1, 0.25}, {0, 0, 0.044, 1}}, // Google's zones
	engine.TargetYouTube:  {{0, 0, 1, 0.09}, {0, 0.87, 1, 0.13}},                                           // title and controls
	engine.TargetLinkedIn: {{0, 0.89, 1, 0.11}},                                                            // controls
	engine.TargetWeb:      {{0, 0.87, 1, 0.13}},                                                            // controls
}

// changed returns how many pixels differ in a part of the sixth frame of two videos.
func changed(tb testing.TB, a, b localFile, part string) (n int) {
	tb.Helper()
	for _, v := range runFFmpeg(tb, "-i", string(a), "-i", string(b), "-filter_complex",
		"[0:v][1:v]blend=all_mode=difference,select='eq(n,5)',format=gray,crop="+part, "-frames:v", "1", "-f", "rawvideo", "-") {
		if v > 60 {
			n++
		}
	}
	return n
}

// Captions, titles, and waveforms stay off what apps and players draw over a video, in clips and audiograms.
func TestSafeAreas(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	require.Len(t, render.Targets(), len(masks))
	text := strings.Repeat("Wonderful gymnastics everywhere, quickly gathering. ", 2)
	for _, target := range render.Targets() {
		for _, style := range []engine.RenderStyle{engine.StyleLines, engine.StyleAudiogram} {
			if style.Audiogram() && target.Name != engine.TargetReels && target.Name != engine.TargetWeb { // the tightest of each ratio
				continue
			}
			t.Run(fmt.Sprintf("%s %s", target.Name, style), func(t *testing.T) {
				t.Parallel()
				r := render.Request{Window: window(0, 400), Style: style, Target: target.Name, ShortSide: 216}
				media := localFile(shared("conversation.mp4"))
				bare := r
				if bare.Style = engine.StyleLines; style == engine.StyleAudiogram {
					bare.Style = style
				}
				without, _ := rendered(t, media, bare)
				r.Title, r.Words = text, wordsOf(text, 0, 4*time.Second)
				with, result := rendered(t, media, r)
				require.Greater(t, changed(t, with, without, "iw:ih:0:0"), 200, "nothing was drawn")
				for _, m := range masks[target.Name] {
					part := fmt.Sprintf("iw*%.3f:ih*%.3f:iw*%.3f:ih*%.3f", m[2], m[3], m[0], m[1])
					require.Zero(t, changed(t, with, without, part), "under %v of %v", m, result)
				}
			})
		}
	}
}

// Social targets are louder than podcasts, and each has a ratio that a request may override.
func TestTargets(t *testing.T) {
	t.Parallel()
	for _, target := range render.Targets() {
		want, frame := -14.0, [2]int{1080, 1920}
		switch target.Name {
		case engine.TargetYouTube:
			frame = [2]int{1920, 1080}
		case engine.TargetWeb:
			want, frame = -16, [2]int{1920, 1080}
		case engine.TargetLinkedIn:
			frame = [2]int{1080, 1350}
		}
		require.Equal(t, want, target.Loudness, target.Name)
		p := planned(t, render.Request{Target: target.Name})
		require.Equal(t, frame, [2]int{p.Width, p.Height}, target.Name)
		args, err := p.Args("/in", "/out", 1)
		require.NoError(t, err)
		require.Contains(t, strings.Join(args, " "), fmt.Sprintf("volume=%.1fdB", want-speech().Loudness), target.Name)
		require.Equal(t, 1080, planned(t, render.Request{Target: target.Name, Aspect: engine.AspectSquare}).Height)
	}
	_, err := render.NewPlan(talk(), speech(), render.Request{Window: window(0, 1000), Target: "fax"})
	require.Contains(t, code(t, engine.CodeInvalid, err).Hint, "tiktok")
}
