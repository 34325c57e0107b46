package render_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// stillOf returns the picture of Still.
func stillOf(t *testing.T, src engine.Source, r render.Request) (image.Image, render.Result) {
	t.Helper()
	var b bytes.Buffer
	result, err := renderer.Still(context.Background(), src, r, &b)
	require.NoError(t, err)
	picture, err := jpeg.Decode(&b)
	require.NoError(t, err)
	require.Equal(t, image.Pt(result.Width, result.Height), picture.Bounds().Size())
	return picture, result
}

// apart returns the mean difference of the brightness of two pictures, 0 to 255.
func apart(a, b image.Image) float64 {
	sum := 0.0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			d := (float64(ar) - float64(br) + float64(ag) - float64(bg) + float64(ab) - float64(bb)) / 3 / 257
			sum += max(d, -d)
		}
	}
	return sum / float64(a.Bounds().Dx()*a.Bounds().Dy())
}

// A still is the frame of the video at its poster's moment: the same picture, caption, spoken word, title, and bars.
func TestStill(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	words := wordsOf("one two three four five six seven eight", 3*time.Second, 6*time.Second)
	for name, c := range map[string]struct {
		file string
		r    render.Request
	}{
		"clip":            {"conversation.mp4", render.Request{Style: engine.StyleKaraoke, Title: "Title"}},
		"audiogram":       {"conversation.mp4", render.Request{Style: engine.StyleAudiogram, Title: "Title"}},
		"bars":            {"cover.mp3", render.Request{Style: engine.StyleBars, Aspect: engine.AspectSquare}},
		"an unseekable":   {"late.mkv", render.Request{Fit: render.Pad}},
		"without caption": {"conversation.mp4", render.Request{Fit: render.Crop}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.r.Window, c.r.ShortSide = window(200, 6000), 270
			if name != "without caption" {
				c.r.Words = words
			}
			if name == "bars" || name == "an unseekable" {
				c.r.Window, c.r.Words = window(200, 1900), wordsOf("one two three", 500*time.Millisecond, 1800*time.Millisecond)
			}
			src := localFile(shared(c.file))
			picture, result := stillOf(t, src, c.r)
			file, made := rendered(t, src, c.r)
			require.Equal(t, made.Poster, result.Poster)
			require.Equal(t, made.Captions, result.Captions)
			require.Equal(t, made.Message, result.Message)
			require.Less(t, apart(picture, poster(t, string(file), made.Poster)), 3.5)
			other := 100 * time.Millisecond
			require.Greater(t, apart(picture, poster(t, string(file), other)), apart(picture, poster(t, string(file), made.Poster)))
		})
	}
}

// Stills of media that can't be rendered are errors, and write nothing.
func TestStillErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	var b bytes.Buffer
	_, err := render.FFmpeg{}.Still(context.Background(), localFile(shared("notmedia.wav")), render.Request{Window: window(0, 1000)}, &b)
	code(t, engine.CodeBadMedia, err)
	_, err = renderer.Still(context.Background(), localFile(shared("conversation.mp4")), render.Request{Window: window(0, 10)}, &b)
	code(t, engine.CodeInvalid, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = renderer.Still(ctx, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 1000)}, &b)
	code(t, engine.CodeCanceled, err)
	require.Empty(t, b.Bytes())
}

// A title that has no room is shortened with …, and a note says so. One that fits has no note, also if it ends with … itself.
func TestLongTitle(t *testing.T) {
	t.Parallel()
	for title, told := range map[string]bool{
		strings.Repeat("long title ", 45) + "title": true, strings.Repeat("x", 500): true, strings.Repeat("長い題名です", 83): true,
		"A title": false, "And then …": false, "": false, "A title 🎉": false, "Two people plan a podcast that others love": false,
	} {
		for _, style := range []engine.RenderStyle{engine.StyleCaptions, engine.StyleAudiogram} {
			p := planned(t, render.Request{Title: title, Style: style})
			if !told {
				require.NotContains(t, p.Notes, "The title is too long, and was shortened.", title)
				continue
			}
			require.Contains(t, p.Notes, "The title is too long, and was shortened.", title)
			require.Contains(t, strings.Join(events(p.Title+p.Still), ""), "…", title)
		}
	}
}
