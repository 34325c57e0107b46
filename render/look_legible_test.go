package render_test

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// grounds is a video of white, black, and noise, for 0.4 s each.
func grounds(tb testing.TB) localFile {
	part := func(source string) []string { return []string{"-f", "lavfi", "-i", source + ":s=360x360:r=25:d=0.4"} }
	args := slices.Concat(part("color=c=white"), part("color=c=black"), part("color=c=gray"))
	return film(tb, "grounds.mp4", append(args, "-filter_complex", "[2]noise=alls=100:allf=t[n];[0][1][n]concat=n=3:v=1:a=0",
		"-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv420p")...)
}

// picture is one frame of a video.
type picture struct {
	w, h int
	rgb  []byte
}

func (p picture) at(x, y int) color.NRGBA {
	i := (min(max(y, 0), p.h-1)*p.w + min(max(x, 0), p.w-1)) * 3
	return color.NRGBA{p.rgb[i], p.rgb[i+1], p.rgb[i+2], 255}
}

// pictures returns frames of a square video.
func pictures(tb testing.TB, file localFile, side int) (all []picture) {
	tb.Helper()
	b := runFFmpeg(tb, "-i", string(file), "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
	for frame := range slices.Chunk(b, side*side*3) {
		all = append(all, picture{side, side, frame})
	}
	return all
}

func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		if s := float64(v) / 255; s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return float64(v) / 255 / 12.92
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast is the contrast ratio of WCAG 2, 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func near(a, b color.NRGBA, most int) bool {
	d := func(x, y uint8) int { return max(int(x), int(y)) - min(int(x), int(y)) }
	return d(a.R, b.R) <= most && d(a.G, b.G) <= most && d(a.B, b.B) <= most
}

// legibility returns the contrast that nine tenths of the edges of letters reach within reach pixels, on the worst ground. A pixel belongs to
// a letter if it has a colour of letters on every ground.
func legibility(grounds []picture, letters []color.NRGBA, reach int) (worst float64, edges int) {
	w, h := grounds[0].w, grounds[0].h
	letter := make([]bool, w*h)
	for i := range letter {
		letter[i] = slices.ContainsFunc(letters, func(c color.NRGBA) bool {
			return !slices.ContainsFunc(grounds, func(g picture) bool { return !near(g.at(i%w, i/w), c, 40) })
		})
	}
	worst = 21
	for _, g := range grounds {
		var found []float64
		for y := reach; y < h-reach; y++ {
			for x := reach; x < w-reach; x++ {
				for _, step := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
					if !letter[y*w+x] || letter[(y+step[1])*w+x+step[0]] {
						continue
					}
					best := 1.0
					for d := 1; d <= reach; d++ {
						best = max(best, contrast(g.at(x, y), g.at(x+step[0]*d, y+step[1]*d)))
					}
					found = append(found, best)
				}
			}
		}
		slices.Sort(found)
		if edges = len(found); edges == 0 {
			return 0, 0
		}
		worst = min(worst, found[len(found)/10])
	}
	return worst, edges
}

// sentence returns what the fake transcriber says first in a language.
func sentence(tb testing.TB, language transcript.Language) string {
	b, err := os.ReadFile(filepath.Join("..", "engine", "fake", "sentences", string(language)+".txt"))
	require.NoError(tb, err)
	first, _, _ := strings.Cut(string(b), "\n")
	return first
}

// Captions of every preset have a contrast of at least 4.5:1 (WCAG 2, level AA) with what is around their letters: on white, on black, and on
// noise. Each preset is rendered in another language; with -frames, each is in all.
func TestPresetsLegible(t *testing.T) {
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	media := grounds(t)
	languages := transcript.Languages()
	const side = 720
	for i, name := range render.Presets() {
		own := languages
		if *frames == "" {
			own = languages[i*7%len(languages):][:1]
		}
		for _, language := range own {
			style, err := render.Preset(name)
			require.NoError(t, err)
			style.Motion.Entrance, style.Title.Show, style.Progress.Position = "none", "never", "none" // one moment of captions
			words := wordsOf(sentence(t, language), 0, 20*time.Second)
			words[0].End = 1200 * time.Millisecond
			for j := range words[1:] { // the rest of the first caption is spoken after the video
				words[1+j].Start, words[1+j].End = words[0].End+time.Duration(j)*50*time.Millisecond, words[0].End+time.Duration(j+1)*50*time.Millisecond
			}
			file, result := rendered(t, media, render.Request{
				Window: window(0, 1200), Words: words, Language: language, Aspect: engine.AspectSquare, Look: &style, ShortSide: side,
				Cues: func(words []transcript.Word, _ transcript.Language, _ render.CueLimits) []render.Cue {
					return []render.Cue{{Start: 0, End: 1200 * time.Millisecond, Lines: [][]transcript.Word{words[:min(len(words), 3)]}}}
				},
			})
			require.Empty(t, result.Message, "%s in %s", name, language)
			all := pictures(t, file, side)
			var letters []color.NRGBA
			for _, c := range []render.Colour{style.Text.Colour, style.Highlight.Colour, style.Highlight.Unspoken, style.Emphasis.Colour} {
				var v color.NRGBA
				if n, _ := fmt.Sscanf(string(c), "#%02x%02x%02x", &v.R, &v.G, &v.B); n == 3 {
					letters = append(letters, v)
				}
			}
			worst, edges := legibility([]picture{all[5], all[15], all[25]}, letters, 4)
			t.Logf("%s in %s: %.1f:1", name, language, worst)
			require.Greater(t, edges, 100, "%s in %s has no letters", name, language)
			require.GreaterOrEqual(t, worst, 4.5, "%s in %s", name, language)
		}
	}
}
