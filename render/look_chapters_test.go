package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// brighter returns the bounds of the pixels of a row of pictures that are brighter in one than in another.
func brighter(a, b picture, top, bottom int) (left, right, n int) {
	left = a.w
	for y := top; y < bottom; y++ {
		for x := range a.w {
			if int(a.at(x, y).G) > int(b.at(x, y).G)+60 {
				left, right, n = min(left, x), max(right, x), n+1
			}
		}
	}
	return left, right, n
}

// An audiogram has a dot where a chapter begins, at its place along the sound, and the title of the chapter that plays.
func TestChapterMarks(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	slow.Skip(t, "it renders video")
	needFFmpeg(t)
	const side = 360
	style := render.DefaultStyle()
	style.Captions.Show = false // captions would move the sound
	style.Background.Kind, style.Background.Colours = "colour", []render.Colour{"#000000"}
	style.Wave = render.StyleWave{Kind: "bars", Colour: "#ffffff", Rest: "#ffffff", Chapters: true}
	r := render.Request{Window: window(1000, 5000), Aspect: engine.AspectSquare, ShortSide: side, Look: &style, Chapters: []render.Chapter{}}
	media := localFile(shared("conversation.mp3"))
	file, _ := rendered(t, media, r)
	bare := pictures(t, file, side)
	r.Chapters = []render.Chapter{{Start: time.Second, Title: "A short one"}, {Start: 4 * time.Second, Title: "The second of all chapters"}}
	file, _ = rendered(t, media, r)
	marked := pictures(t, file, side)

	black := picture{side, side, make([]byte, side*side*3)}
	const top, bottom = 0, 240
	dots := 0 // the first row below the sound, where dots are
	for y := range bottom {
		if _, _, n := brighter(bare[50], black, y, y+1); n > 0 {
			dots = y + 1
		}
	}
	titles := dots + 9
	left, right, _ := brighter(bare[50], black, top, dots)
	for _, frame := range []int{10, 90} {
		from, to, n := brighter(marked[frame], bare[frame], dots, titles)
		require.Positive(t, n)
		require.InDelta(t, float64(left)+0.75*float64(right-left), float64(from+to)/2, 3, "the second chapter begins after three of four seconds")
		require.Less(t, to-from, 8)
	}
	first, last, _ := brighter(marked[10], black, titles, bottom)
	require.InDelta(t, side/2, float64(first+last)/2, 4)
	begin, end, _ := brighter(marked[90], black, titles, bottom)
	require.Greater(t, end-begin, last-first+20, "the longer title is shown later")
	_, _, before := brighter(marked[73], marked[10], titles, bottom)
	_, _, after := brighter(marked[76], marked[90], titles, bottom)
	require.Zero(t, before+after, "the title changes when its chapter begins")
}
