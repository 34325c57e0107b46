package render_test

import (
	"fmt"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// Captions and titles fit on their canvases: the tallest and lowest letters don't touch the edges.
func TestLayersHaveRoom(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it lays out every style")
	needFFmpeg(t)
	marks := "A" + strings.Repeat("\u0301", 7) + "g" + strings.Repeat("\u0323", 3)
	texts := map[transcript.Language]string{"fr": strings.Repeat(marks+" ", 9)}
	for language, s := range spoken {
		texts[language] = s.text
	}
	for language, text := range texts {
		for _, aspect := range []engine.AspectRatio{engine.AspectVertical, engine.AspectWide} {
			t.Run(fmt.Sprintf("%s %s", language, strings.ReplaceAll(string(aspect), ":", "x")), func(t *testing.T) {
				t.Parallel()
				long := wordsOf(text, 0, 3*time.Second)
				twice := func([]transcript.Word, transcript.Language, render.CueLimits) []render.Cue {
					lines := [][]transcript.Word{long[:1], long[1:2]}
					if len(long) > 4 {
						lines = [][]transcript.Word{long[:2], long[2:4]}
					}
					return []render.Cue{{Start: 0, End: 3 * time.Second, Lines: lines}, {Start: time.Millisecond, End: 3 * time.Second, Lines: lines}}
				}
				if len(long) == 1 {
					long = append(long, long[0])
				}
				var layers drawnLayers
				for _, style := range []engine.RenderStyle{engine.StyleLines, engine.StyleBoxed} {
					p := planned(t, render.Request{Language: language, Title: text, Aspect: aspect, Style: style, Words: long, Cues: twice})
					layers.add(t, p.Width, "title of "+string(style), p.Title)
					layers.add(t, p.Width, "captions of "+string(style), p.Captions)
				}
				for name, rows := range layers.draw(t) {
					require.Zero(t, slices.Max(rows[:2*layers.width]), "the top of the %s", name)
					require.Zero(t, slices.Max(rows[len(rows)-2*layers.width:]), "the bottom of the %s", name)
					require.Equal(t, byte(255), slices.Max(rows), "nothing was drawn of the %s", name)
				}
			})
		}
	}
}

// drawnLayers are canvases of one width that one process draws: starting it takes longer than drawing.
type drawnLayers struct {
	width   int
	names   []string
	heights []int
	sources strings.Builder // filters, whose outputs are [0], [1], …
}

func (l *drawnLayers) add(t *testing.T, width int, name, ass string) {
	t.Helper()
	height, err := strconv.Atoi(regexp.MustCompile(`PlayResY: (\d+)`).FindStringSubmatch(ass)[1])
	require.NoError(t, err)
	file := temporary(t, "layer.ass", []byte(ass))
	fmt.Fprintf(&l.sources, "color=black@0:s=%dx%d:d=1:r=2,format=gbrap,ass=%s:alpha=1,alphaextract,format=gray[%d];", width, height, file, len(l.names))
	l.width, l.names, l.heights = width, append(l.names, name), append(l.heights, height)
}

// draw returns the opacity of each canvas's pixels after half a second, by name.
func (l *drawnLayers) draw(t *testing.T) map[string][]byte {
	t.Helper()
	stack := ""
	for i := range l.names {
		stack += fmt.Sprintf("[%d]", i)
	}
	pixels := runFFmpeg(t, "-filter_complex", fmt.Sprintf("%s%svstack=inputs=%d", l.sources.String(), stack, len(l.names)), "-ss", "0.5", "-frames:v", "1", "-f", "rawvideo", "-")
	drawn := map[string][]byte{}
	for i, name := range l.names {
		drawn[name], pixels = pixels[:l.heights[i]*l.width], pixels[l.heights[i]*l.width:]
	}
	require.Empty(t, pixels)
	return drawn
}

// Layers over a picture have the intended colours and opacity.
func TestLayerColours(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	white := film(t, "white.mp4", "-f", "lavfi", "-i", "color=white:s=640x640:r=25:d=1", "-f", "lavfi", "-i", "sine=d=1", "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_range", "tv")
	file, _ := rendered(t, white, render.Request{Window: window(0, 1000), Aspect: engine.AspectSquare, ShortSide: 1080, Title: "MMMMM", Words: wordsOf("MMMMM", 0, time.Second)})
	img := poster(t, string(file), 500*time.Millisecond)
	seen := map[color.RGBA]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			seen[color.RGBA{(c.R + 4) &^ 7, (c.G + 4) &^ 7, (c.B + 4) &^ 7, 255}]++
		}
	}
	near := func(r, g, b int) (n int) {
		for c := range maps.Keys(seen) {
			if abs(int(c.R)-r) < 14 && abs(int(c.G)-g) < 14 && abs(int(c.B)-b) < 14 {
				n += seen[c]
			}
		}
		return n
	}
	require.Greater(t, near(96, 96, 96), 5000, "the title's box: black at 0.62 opacity over white")
	require.Greater(t, near(255, 215, 0), 300, "the highlighted word")
	require.Greater(t, near(0, 0, 0), 1000, "its outline")
}

func abs(n int) int { return max(n, -n) }

// Captions change at exactly the right frame, at any rate.
func TestLayersChangeInTime(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	for _, c := range []struct {
		rate  string
		style engine.RenderStyle
	}{
		{"24000/1001", engine.StyleLines}, {"25", engine.StyleLines}, {"30000/1001", engine.StyleLines}, {"30", engine.StyleLines},
		{"25", engine.StyleAudiogram},
	} {
		rate := c.rate
		t.Run(fmt.Sprintf("%s %s", c.style, strings.ReplaceAll(rate, "/", "-")), func(t *testing.T) {
			t.Parallel()
			black := film(t, "black.mp4", "-f", "lavfi", "-i", "color=black:s=256x256:r="+rate+":d=4", "-f", "lavfi", "-i", "sine=d=4", "-pix_fmt", "yuv420p")
			var words []transcript.Word
			for i := range 16 { // a word every 240 ms, three of six visible, at times on and between frames
				words = append(words, transcript.Word{Text: "MMMMMMM", Start: time.Duration(i) * 240 * time.Millisecond, End: time.Duration(i)*240*time.Millisecond + 120*time.Millisecond})
			}
			cues := func(words []transcript.Word, _ transcript.Language, _ render.CueLimits) (cues []render.Cue) {
				for i, w := range words {
					if i%6 < 3 {
						cues = append(cues, render.Cue{Start: w.Start, End: w.Start + 240*time.Millisecond, Lines: [][]transcript.Word{{w}}})
					}
				}
				return cues
			}
			file, _ := rendered(t, black, render.Request{Window: window(0, 4000), Aspect: engine.AspectSquare, Words: words, Cues: cues, Style: c.style})
			var num, den float64 = 0, 1
			_, _ = fmt.Sscanf(rate+"/1", "%f/%f", &num, &den)
			frames := luma(t, file, "iw/2:ih/4:iw/4:ih*0.75")
			nothing := frames[len(frames)-1]
			for i, v := range frames {
				ms := int(float64(i) * den / num * 1000)
				if shown := ms/240%6 < 3 && ms < 3600; shown {
					require.Greater(t, v, nothing+5, "frame %d, at %d ms", i, ms)
				} else {
					require.Less(t, v, nothing+5, "frame %d, at %d ms", i, ms)
				}
			}
		})
	}
}

// Frames in a row are one term of the expression that selects frames.
func TestAnyOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, "(not(n-0)+not(n-1)+not(n-7))", render.AnyOf([]int{0, 1, 7}))
	require.Equal(t, "'(not(n-0)+between(n,3,6)+not(n-9))'", render.AnyOf([]int{0, 3, 4, 5, 6, 9}))
}
