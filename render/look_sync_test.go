package render_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// pillAt returns the middle of what is magenta in a picture, from the left, or NaN.
func pillAt(p picture) float64 {
	sum, n := 0.0, 0.0
	for y := range p.h {
		for x := range p.w {
			if c := p.at(x, y); c.R > 150 && c.G < 100 && c.B > 150 {
				sum, n = sum+float64(x), n+1
			}
		}
	}
	return sum / n
}

// A highlight moves to each word within 40 ms of its beginning, whether it glides or jumps.
func TestHighlightFollowsSpeech(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	const side, rate, late = 270, 25, 40 * time.Millisecond
	media := film(t, "black.mp4", "-f", "lavfi", "-i", "color=black:s=270x270:r=25:d=2", "-pix_fmt", "yuv420p")
	for _, glide := range []string{"0", "140"} {
		style, err := render.ParseStyle([]byte("font: {size: 60}\nhighlight: {kind: pill, box: {colour: '#ff00ff'}, glide_ms: " + glide + "}\nprogress: {position: none}"))
		require.NoError(t, err)
		starts := []int{0, 313, 687, 1040, 1391}
		var words []transcript.Word
		for i, text := range []string{"one", "two", "three", "four", "five"} {
			w := window(starts[i], starts[i]+250)
			words = append(words, transcript.Word{Text: text, Start: w.Start, End: w.End})
		}
		file, _ := rendered(t, media, render.Request{
			Window: window(0, 1900), Words: words, Aspect: engine.AspectSquare, Look: &style, ShortSide: side,
			Cues: func(words []transcript.Word, _ transcript.Language, _ render.CueLimits) []render.Cue {
				return []render.Cue{{Start: 0, End: 1900 * time.Millisecond, Lines: [][]transcript.Word{words}}}
			},
		})
		all := pictures(t, file, side)
		frameOf := func(ms int) int { return ms * rate / 1000 }
		for i := 1; i < len(starts); i++ {
			before, after := pillAt(all[frameOf(starts[i]-130)]), pillAt(all[frameOf(starts[i]+120)])
			require.Greater(t, after, before+5, "the pill of word %d is right of that of the word before", i)
			at := frameOf(starts[i] - 130)
			for math.Abs(pillAt(all[at])-after) > math.Abs(pillAt(all[at])-before) {
				at++
			}
			off := time.Duration(at)*time.Second/rate - words[i].Start
			t.Logf("glide %s ms, word %d: %v", glide, i, off)
			require.InDelta(t, 0, off.Seconds(), late.Seconds(), "word %d, glide %s", i, glide)
		}
	}
}

// A very long title is shortened, and the note says so. A clip of 0.2 s, video without sound, and sound with a cover have a look, too.
func TestLookOfHardMedia(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	style, err := render.Preset("bold-pop")
	require.NoError(t, err)
	style.Logo.Data = pngOf(t, 1, 4000) // as tall as can be
	silent := film(t, "silent.mp4", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-pix_fmt", "yuv420p")
	for name, media := range map[string]localFile{"video without sound": silent, "sound with a cover": localFile(shared("cover.mp3"))} {
		words := wordsOf("Hello 🎉 there", 0, 200*time.Millisecond)
		file, result := rendered(t, media, render.Request{Window: window(0, 200), Words: words, Look: &style, Title: strings.Repeat("A long title. ", 36)})
		require.Contains(t, result.Message, "The title is too long, and was shortened.", name)
		require.InDelta(t, 5, result.Frames, 1, name)
		require.Len(t, describe(t, file).Streams, map[bool]int{false: 2, true: 3}[result.Audiogram], name) // the cover is a stream
		require.Equal(t, name == "sound with a cover", result.Audiogram)
	}
	style.Logo.Data = bytes.Replace(pngOf(t, 40, 40), []byte("IDAT"), []byte("IDXT"), 1)
	_, err = renderer.Render(t.Context(), silent, render.Request{Window: window(0, 200), Words: wordsOf("a", 0, time.Second), Look: &style}, t.TempDir()+"/out.mp4", nil)
	code(t, engine.CodeInvalid, err)
	require.ErrorContains(t, err, "A picture of the style is damaged: logo:")
}
