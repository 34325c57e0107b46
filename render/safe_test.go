package render_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// still returns the still of a request.
func still(tb testing.TB, media engine.Source, r render.Request) *image.RGBA {
	tb.Helper()
	var b bytes.Buffer
	_, err := renderer.Still(tb.Context(), media, r, &b)
	require.NoError(tb, err)
	img, err := jpeg.Decode(&b)
	require.NoError(tb, err)
	all := image.NewRGBA(img.Bounds())
	draw.Draw(all, all.Rect, img, image.Point{}, draw.Src)
	return all
}

// differing returns the bounds of the pixels that differ between two pictures, beyond what JPEG does.
func differing(a, b *image.RGBA) (bounds image.Rectangle) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			c, d := a.RGBAAt(x, y), b.RGBAAt(x, y)
			if !near(color.NRGBA(c), color.NRGBA(d), 70) {
				bounds = bounds.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return bounds
}

// requireClear fails if what differs between two pictures is under a mask of a target.
func requireClear(t *testing.T, target engine.Target, with, without *image.RGBA, what string) {
	t.Helper()
	require.False(t, differing(with, without).Empty(), "%s draws nothing", what)
	w, h := float64(with.Rect.Dx()), float64(with.Rect.Dy())
	for _, m := range masks[target] {
		part := image.Rect(int(w*m[0]), int(h*m[1]), int(w*(m[0]+m[2])), int(h*(m[1]+m[3])))
		a, b := with.SubImage(part).(*image.RGBA), without.SubImage(part).(*image.RGBA)
		for y := part.Min.Y; y < part.Max.Y; y++ {
			for x := part.Min.X; x < part.Max.X; x++ {
				if !near(color.NRGBA(a.RGBAAt(x, y)), color.NRGBA(b.RGBAAt(x, y)), 70) {
					t.Fatalf("%s is at %d, %d, under %v", what, x, y, m)
				}
			}
		}
	}
}

// red returns a PNG of one colour.
func red(tb testing.TB, w, h int) []byte {
	tb.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(color.NRGBA{230, 0, 60, 255}), image.Point{}, draw.Src)
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, img))
	return b.Bytes()
}

// Progress bars, logos, and covers stay off what apps and players draw over a video, too, and text stays off bars and logos.
func TestSafeMarks(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	media := localFile(shared("conversation.mp4"))
	combinations := [][2]string{{"top-right", "top"}, {"bottom-left", "bottom"}, {"bottom-right", "none"}, {"top-left", "bottom"}}
	for i, target := range render.Targets() {
		own := combinations
		if *frames == "" { // each target has one, and each combination a target
			own = combinations[i%len(combinations):][:1]
		}
		for _, c := range own {
			corner, bar := c[0], c[1]
			t.Run(fmt.Sprintf("%s %s %s", target.Name, corner, bar), func(t *testing.T) {
				t.Parallel()
				style := render.DefaultStyle()
				style.Text.Outline, style.Text.Shadow = render.StyleOutline{}, render.StyleShadow{}
				r := render.Request{Window: window(0, 2000), Target: target.Name, ShortSide: 360, Look: &style, Fit: render.Crop}
				bare := still(t, media, r)
				marked := style
				marked.Progress = render.StyleProgressBar{Position: bar, Height: 20, Colour: "#00ff00", Track: "#00ff00"}
				marked.Logo.Data, marked.Logo.Corner, marked.Logo.Width = red(t, 300, 200), corner, 180
				r.Look = &marked
				with := still(t, media, r)
				requireClear(t, target.Name, with, bare, "the bar or the logo")

				r.Words, r.Title = wordsOf("Wonderful gymnastics everywhere, quickly gathering people", 0, 2e9), "Wonderful gymnastics everywhere, quickly gathering many people"
				text := still(t, media, r)
				requireClear(t, target.Name, text, with, "text")
				for y := range text.Rect.Dy() { // red and green are of the marks alone, and text would hide them
					for x := range text.Rect.Dx() {
						if c := with.RGBAAt(x, y); max(c.R, c.G) > 200 && min(c.R, c.G) < 60 && c.B < 100 {
							require.True(t, near(color.NRGBA(c), color.NRGBA(text.RGBAAt(x, y)), 90), "text is on a mark at %d, %d", x, y)
						}
					}
				}
				if folder := *frames; folder != "" {
					file, err := os.Create(filepath.Join(folder, fmt.Sprintf("safe-%s-%s.png", target.Name, corner)))
					require.NoError(t, err)
					require.NoError(t, png.Encode(file, text))
					require.NoError(t, file.Close())
				}
			})
		}
	}
}

// The cover of an audiogram is inside the safe area, and below the title.
func TestSafeCover(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	for _, target := range render.Targets() {
		if target.Name != engine.TargetReels && target.Name != engine.TargetWeb && *frames == "" { // the tightest of each ratio
			continue
		}
		for _, wave := range []string{"bars", "circle"} {
			style := render.DefaultStyle()
			style.Background.Kind, style.Background.Colours = "colour", []render.Colour{"#000000"}
			style.Wave.Kind = wave
			r := render.Request{Window: window(0, 1000), Target: target.Name, ShortSide: 360, Look: &style}
			media := localFile(shared("cover.mp3"))
			with := still(t, media, r)
			style.Background.Cover, style.Wave.Kind = "none", "none"
			requireClear(t, target.Name, with, still(t, media, r), fmt.Sprint("the cover with ", wave))
		}
	}
}
