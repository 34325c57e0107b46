package focus_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render/focus"
)

const (
	width, height, rate = 320, 180, 15
	share               = 9. / 16 * 9 / 16 // 16:9 to 9:16
)

// gray runs ffmpeg and returns what it writes.
func gray(tb testing.TB, args ...string) []byte {
	tb.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatal(err)
		}
		tb.Skip(err)
	}
	var out, said bytes.Buffer
	cmd := exec.Command("ffmpeg", append(append([]string{"-v", "error", "-nostdin"}, args...), "-f", "rawvideo", "-pix_fmt", "gray", "-")...)
	cmd.Stdout, cmd.Stderr = &out, &said
	require.NoError(tb, cmd.Run(), said.String())
	return out.Bytes()
}

// faceSide is the side of the picture of a face in frames.
const faceSide = 72

// canvas is a grey picture that things are drawn on.
type canvas []byte

// room returns a picture of an empty room: a wall that gets darker, with noise that changes with each frame.
func room(n int) canvas {
	c := make(canvas, width*height)
	seed := uint32(n)*2654435761 + 1
	for i := range c {
		seed = seed*1664525 + 1013904223
		c[i] = byte(150 - i%width/8 + int(seed>>28))
	}
	return c
}

// put draws a picture of faceSide × faceSide with its middle at x, y. open moves the mouth.
func (c canvas) put(pix []byte, x, y float64, open int) {
	left, top := int(math.Round(x))-faceSide/2, int(math.Round(y))-faceSide/2
	for py := range faceSide {
		for px := range faceSide {
			if cx, cy := left+px, top+py; cx >= 0 && cy >= 0 && cx < width && cy < height {
				v := pix[py*faceSide+px]
				if dx, dy := px-faceSide/2, py-faceSide*73/100; dx*dx/4+dy*dy < open*open {
					v = 20
				}
				c[cy*width+cx] = v
			}
		}
	}
}

// face returns the picture of a face.
func face(tb testing.TB) []byte {
	tb.Helper()
	return gray(tb, "-i", "testdata/face.jpg", "-vf", fmt.Sprintf("crop=240:240:0:30,scale=%d:%d", faceSide, faceSide))
}

// watched returns the path through frames that a function draws.
func watched(tb testing.TB, frames int, turns []focus.Turn, draw func(n int, c canvas)) focus.Path {
	tb.Helper()
	w, err := focus.New(focus.Options{Width: width, Height: height, Rate: rate, Share: share, Turns: turns})
	require.NoError(tb, err)
	for n := range frames {
		c := room(n)
		draw(n, c)
		w.Frame(c)
	}
	return w.Path()
}

// shown returns the share of frames in which a face is wholly in the crop. x is where its middle is, in pixels.
func shown(p focus.Path, frames int, x func(n int) float64) float64 {
	const half = 0.3 * faceSide / width
	in := 0
	for n := range frames {
		if at := x(n) / width; at-half >= p.At(n)-share/2 && at+half <= p.At(n)+share/2 || at < half && p.At(n) < share/2+0.01 || at > 1-half && p.At(n) > 1-share/2-0.01 {
			in++
		}
	}
	return float64(in) / float64(frames)
}

// travel returns how far the camera moves in all, without jumps at cuts, and how often it turns around.
func travel(p focus.Path) (way float64, turns int) {
	direction := 0.
	for _, m := range p.Moves {
		d := m.To - m.At
		if way += math.Abs(d); d*direction < 0 {
			turns++
		}
		if d != 0 {
			direction = d
		}
	}
	return way, turns
}

// A face is in the crop in at least 98 % of the frames, wherever it is and however it moves. The camera moves no farther than the face, and not
// at all if the face only sways.
func TestFollowsFace(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it looks for faces in hundreds of frames")
	const frames = 90
	pix := face(t)
	for name, c := range map[string]struct {
		x     func(n int) float64
		moves int     // most moves
		way   float64 // most that the camera moves
	}{
		"still":           {func(int) float64 { return 240 }, 1, 0},
		"at the left":     {func(int) float64 { return 20 }, 1, 0},
		"at the right":    {func(int) float64 { return 300 }, 1, 0},
		"swaying":         {func(n int) float64 { return 100 + 12*math.Sin(float64(n)/6) }, 1, 0},
		"walking":         {func(n int) float64 { return 60 + 200*float64(n)/frames }, 6, 200. / width},
		"there and back":  {func(n int) float64 { return 80 + 160*math.Sin(math.Pi*float64(n)/frames) }, 12, 2 * 165. / width},
		"leaving":         {func(n int) float64 { return 60 + 400*float64(n)/frames }, 6, 1 - share},
		"a shot change":   {func(n int) float64 { return map[bool]float64{true: 60, false: 250}[n < 40] }, 2, 0},
		"three jump cuts": {func(n int) float64 { return map[int]float64{0: 60, 1: 160, 2: 250, 3: 90}[n/24] }, 4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := watched(t, frames, nil, func(n int, on canvas) { on.put(pix, c.x(n), 80, 0) })
			require.True(t, p.Faces)
			require.GreaterOrEqual(t, shown(p, frames, c.x), 0.98, p)
			require.LessOrEqual(t, len(p.Moves), c.moves, p)
			way, turns := travel(p)
			require.LessOrEqual(t, way, c.way+0.01, p)
			require.LessOrEqual(t, turns, 1, p)
			require.Zero(t, p.Lost)
		})
	}
}

// Of two faces, the camera shows the one whose mouth moves while that speaker speaks, and cuts when the other begins. It ignores a word in
// between. Without speakers it stays with one.
func TestFollowsSpeaker(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it looks for faces in hundreds of frames")
	pix, second := face(t), time.Second
	left := func(n int) bool { return n/rate < 3 || n/rate >= 7 }
	draw := func(n int, on canvas) {
		mouth := [2]int{}
		if on := n / 3 % 2 * 5; left(n) {
			mouth[0] = on
		} else {
			mouth[1] = on
		}
		on.put(pix, 60, 80, mouth[0])
		on.put(pix, 260, 80, mouth[1])
	}
	const frames = 10 * rate
	turns := []focus.Turn{{"B", 0, 3 * second}, {"A", 3 * second, 7 * second}, {"B", 7 * second, 10 * second}}
	p := watched(t, frames, turns, draw)
	for _, n := range []int{0, 2 * rate, 8 * rate, frames - 1} {
		require.InDelta(t, 60./width, p.At(n), 0.03, "frame %d of %v", n, p)
	}
	for _, n := range []int{7 * rate / 2, 13 * rate / 2} {
		require.InDelta(t, 260./width, p.At(n), 0.03, "frame %d of %v", n, p)
	}
	require.Len(t, p.Moves, 3)
	require.Greater(t, p.Lost, 0.9, "one face is always outside")

	turns = []focus.Turn{{"B", 0, 3 * second}, {"A", 3 * second, 3500 * time.Millisecond}, {"B", 3500 * time.Millisecond, 10 * second}}
	p = watched(t, 6*rate, turns, func(n int, on canvas) { draw(n%(3*rate), on) })
	require.Len(t, p.Moves, 1, "a short word is no reason to cut")

	p = watched(t, 4*rate, nil, draw)
	require.Len(t, p.Moves, 1)
}

// If one of two people leaves, the crop shows who stays, a second later at the latest. It also shows who comes in.
func TestOneLeaves(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it looks for faces in hundreds of frames")
	pix := face(t)
	for leaver, stays := range []float64{260, 60} {
		p := watched(t, 6*rate, nil, func(n int, on canvas) {
			if at := 60 + 200*float64(leaver); n < 2*rate {
				on.put(pix, at, 80, 0)
			}
			on.put(pix, stays, 80, 0)
		})
		require.InDelta(t, stays/width, p.At(3*rate), 0.03, p)
		require.InDelta(t, stays/width, p.At(6*rate-1), 0.03, p)
	}
	for _, alone := range []bool{true, false} { // somebody comes in: to nobody, or to somebody who leaves then
		p := watched(t, 6*rate, nil, func(n int, on canvas) {
			if !alone && n < 3*rate {
				on.put(pix, 60, 80, 0)
			}
			if n >= 3*rate/2 {
				on.put(pix, 250, 80, 0)
			}
		})
		require.True(t, p.Faces)
		require.InDelta(t, 250./width, p.At(5*rate), 0.03, "%v: %v", alone, p)
	}
}

// Two people who are far apart get two crops if these are asked for. Each shows one of them, and rests. Two people who fit into one crop,
// and one alone, get none.
func TestPairs(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it looks for faces in many frames")
	pix := face(t)
	late := 0 // frames, until the second one comes in
	pairs := func(wanted bool, share float64, faces ...float64) focus.Path {
		w, err := focus.New(focus.Options{Width: width, Height: height, Rate: rate, Share: share, Half: 9. / 8, Pairs: wanted})
		require.NoError(t, err)
		for n := range 2*rate + 4*late {
			c := room(n)
			for i, x := range faces {
				if i == 0 || n >= late {
					c.put(pix, x+3*math.Sin(float64(n)/5), 90+10*float64(i), 0)
				}
			}
			w.Frame(c)
		}
		return w.Path()
	}
	p := pairs(true, share, 60, 250)
	require.Len(t, p.Pairs, 1)
	pair := p.Pairs[0]
	require.Equal(t, [2]int{0, 2 * rate}, [2]int{pair.From, pair.To})
	require.Zero(t, p.Lost)
	half := pair.Height * height * 9 / 8 / 2 // of the width of a crop, in pixels
	for i, v := range pair.Views {
		require.Len(t, v.X, 1)
		mine, other := []float64{60, 250}[i], []float64{250, 60}[i]
		require.InDelta(t, mine, v.X[0].At*width, half-0.3*faceSide)
		require.Greater(t, math.Abs(other-v.X[0].At*width), half+0.3*faceSide)
		require.InDelta(t, (90+10*float64(i))/height, v.Y, pair.Height/2-0.3*faceSide/height)
	}
	p = pairs(false, share, 60, 250)
	require.Empty(t, p.Pairs)
	require.True(t, p.Apart)
	require.Empty(t, pairs(true, share, 60).Pairs)
	fit := pairs(true, 0.6, 120, 200)
	require.Empty(t, fit.Pairs)
	require.Zero(t, fit.Lost)
	late = rate / 2
	require.Len(t, pairs(true, share, 60, 250).Pairs, 1)
}

// Two faces that fit into the crop are both shown.
func TestShowsBoth(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it looks for faces in many frames")
	pix := face(t)
	w, err := focus.New(focus.Options{Width: width, Height: height, Rate: rate, Share: 0.6})
	require.NoError(t, err)
	for n := range 2 * rate {
		c := room(n)
		c.put(pix, 150, 80, 0)
		c.put(pix, 230, 80, 0)
		w.Frame(c)
	}
	p := w.Path()
	require.Len(t, p.Moves, 1)
	require.InDelta(t, 190./width, p.At(0), 0.03)
	require.Zero(t, p.Lost)
}

// Without faces, the crop shows what moves, or else the middle.
func TestSalience(t *testing.T) {
	t.Parallel()
	p := watched(t, rate, nil, func(n int, c canvas) {
		for y := 60; y < 120; y++ {
			for x := 20; x < 80; x++ {
				c[y*width+x] = byte(255 * ((x/6 + y/6 + n) % 2))
			}
		}
	})
	require.False(t, p.Faces)
	require.InDelta(t, 50./width, p.At(3), 0.1)
	p = watched(t, rate, nil, func(int, canvas) {})
	require.Equal(t, []focus.Move{{From: 0, At: 0.5, To: 0.5}}, p.Moves)
}

// Frames of any size, also of one row or one column, give a path inside the picture.
func TestSmallFrames(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{320, 1}, {1, 320}, {1, 1}, {2, 2}, {17, 320}, {320, 25}} {
		for _, vertical := range []bool{false, true} {
			w, err := focus.New(focus.Options{Width: size[0], Height: size[1], Rate: 30, Share: 0.5, Vertical: vertical, Half: 0.5, Pairs: true})
			require.NoError(t, err)
			require.Equal(t, 0.5, w.Path().At(0), "no frames at all")
			pix := make([]byte, size[0]*size[1])
			for n := range 20 {
				for i := range pix {
					pix[i] = byte(i * n)
				}
				w.Frame(pix)
			}
			at := w.Path().At(10)
			require.True(t, at >= 0.25 && at <= 0.75, "%v: %v", size, at)
		}
	}
}
