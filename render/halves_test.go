package render_test

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// twoPeople writes a video of two people at a table: their mouths move while they speak, the left one's in the seconds of an expression of the
// time t. A green dot is between the eyes of the left one, and a blue one between those of the right one.
func twoPeople(tb testing.TB, length int, leftSpeaks string) localFile {
	tb.Helper()
	const person = "crop=240:240:0:30,drawbox=x=112:y=78:w=14:h=14:color=%s:t=fill,drawbox=x=96:y=172:w=44:h=20:color=0x302018:t=fill:enable='%s*lt(mod(t,0.4),0.2)'"
	face := filepath.Join("focus", "testdata", "face.jpg")
	graph := "[1]" + fmt.Sprintf(person, "0x00ff00", leftSpeaks) + "[l];[2]hflip," + fmt.Sprintf(person, "0x0000ff", "not("+leftSpeaks+")") +
		"[r];[0][l]overlay=x=150:y=220[w];[w][r]overlay=x=880:y=200,noise=alls=5:allf=t"
	seconds := fmt.Sprint(length)
	return film(tb, "two.mp4", "-f", "lavfi", "-i", "color=0xb0a89c:s=1280x720:r=25:d="+seconds, "-loop", "1", "-r", "25", "-t", seconds, "-i", face,
		"-loop", "1", "-r", "25", "-t", seconds, "-i", face, "-f", "lavfi", "-i", "sine=d="+seconds, "-filter_complex", graph, "-preset", "ultrafast", "-pix_fmt", "yuv420p")
}

// marks returns where the green and the blue dot are in each frame, as shares of the frame, or NaN.
func marks(tb testing.TB, file localFile, width, height int) (green, blue [][2]float64) {
	tb.Helper()
	b := runFFmpeg(tb, "-i", string(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
	for frame := 0; (frame+1)*width*height*3 <= len(b); frame++ {
		var sums [2][3]float64
		for i := range width * height {
			p := b[(frame*width*height+i)*3:]
			k := -1
			switch {
			case p[1] > 150 && p[0] < 110 && p[2] < 110:
				k = 0
			case p[2] > 150 && p[0] < 110 && p[1] < 110:
				k = 1
			}
			if k >= 0 {
				sums[k][0], sums[k][1], sums[k][2] = sums[k][0]+float64(i%width), sums[k][1]+float64(i/width), sums[k][2]+1
			}
		}
		at := func(s [3]float64) [2]float64 {
			return [2]float64{s[0] / s[2] / float64(width), s[1] / s[2] / float64(height)}
		}
		green, blue = append(green, at(sums[0])), append(blue, at(sums[1]))
	}
	return green, blue
}

// talkOfTwo returns words of two speakers, who take turns every so many milliseconds. B begins.
func talkOfTwo(length, turn int) (words []transcript.Word) {
	for at := 0; at < length; at += 500 {
		words = append(words, transcript.Word{Text: "word", Speaker: []string{"B", "A"}[at/turn%2], Start: window(at, at).Start, End: window(0, at+400).End})
	}
	return words
}

// With the focus auto, the crop shows who speaks in at least 95 % of the frames, and rests within a turn. With both, two halves of the
// frame show both people in every frame, and captions are between halves that are above each other.
func TestTwoPeople(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	const length, turn, frames = 9000, 3000, 225
	media := twoPeople(t, length/1000, "lt(mod(t,6),3)")
	r := render.Request{Window: window(0, length), Words: talkOfTwo(length, turn)}

	r.Focus = engine.FocusAuto
	file, result := rendered(t, media, r)
	require.Contains(t, result.Message, "both", "it says what would show everybody")
	left, right := marks(t, file, result.Width, result.Height)
	require.Len(t, left, frames)
	shown, jumps := 0, 0
	for n := range left {
		at := []float64{left[n][0], right[n][0]}[n*40/turn%2]
		if at > 0.3 && at < 0.7 {
			shown++
		}
		if n > 0 && math.Abs(left[n][0]-left[n-1][0]) > 0.01 || n > 0 && math.Abs(right[n][0]-right[n-1][0]) > 0.01 {
			jumps++
		}
	}
	require.GreaterOrEqual(t, shown, frames*95/100)
	require.Zero(t, jumps, "the crop doesn't move while it shows somebody")

	r.Focus, r.Window, r.ShortSide = engine.FocusBoth, window(0, 2000), 270
	for aspect, second := range map[engine.AspectRatio][2]float64{engine.AspectVertical: {0, 0.5}, engine.AspectSquare: {0.5, 0}, engine.AspectPortrait: {0, 0.5}} {
		r.Aspect = aspect
		file, result = rendered(t, media, r)
		require.Empty(t, result.Message)
		left, right = marks(t, file, result.Width, result.Height)
		require.Len(t, left, 50)
		for n := range left {
			for i, at := range [][2]float64{left[n], right[n]} {
				x, y := at[0]-float64(i)*second[0], at[1]-float64(i)*second[1]
				if second[0] > 0 {
					x *= 2
				} else {
					y *= 2
				}
				require.InDelta(t, 0.5, x, 0.2, "%s, frame %d, person %d", aspect, n, i)
				require.InDelta(t, 0.4, y, 0.12, "%s, frame %d, person %d", aspect, n, i)
			}
		}
	}
}

// A shot of one person between two shots of two people fills the frame, from its first frame to its last one.
func TestTwoPeopleThenOne(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	two, one := twoPeople(t, 2, "1"), faceFilm(t, "600", "negate")
	media := film(t, "shots.mp4", "-i", string(two), "-i", string(one), "-filter_complex", "[0:v]fps=25,setsar=1,split[a][b];[1:v]trim=end=2,fps=25,setsar=1[c];[a][c][b]concat=n=3", "-preset", "ultrafast")
	file, result := rendered(t, media, render.Request{Window: window(0, 6000), Focus: engine.FocusBoth, Words: talkOfTwo(6000, 3000)})
	left, right := marks(t, file, result.Width, result.Height)
	require.Len(t, left, 150)
	for n := range left {
		if n/50 == 1 {
			require.InDelta(t, 0.5, left[n][0], 0.12, "frame %d", n)
			require.InDelta(t, 0.42, left[n][1], 0.05, "frame %d", n)
			continue
		}
		require.Less(t, left[n][1], 0.5, "frame %d", n)
		require.Greater(t, right[n][1], 0.5, "frame %d", n)
	}
}

// With halves above each other, captions and a Style's captions are between them; halves side by side leave them where they are.
func TestCaptionsBetweenHalves(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	media := twoPeople(t, 2, "1")
	look, err := render.Preset("minimal")
	require.NoError(t, err)
	for name, style := range map[string]*render.Style{"captions": nil, "minimal": &look} {
		for aspect, middle := range map[engine.AspectRatio]float64{engine.AspectVertical: 0.5, engine.AspectSquare: 0.8} {
			bare := render.Request{Window: window(0, 1200), Focus: engine.FocusBoth, Aspect: aspect, Look: style, Words: nil}
			said := bare
			said.Words = wordsOf("these are some words", 0, 1200*time.Millisecond)
			without, _ := rendered(t, media, bare)
			with, result := rendered(t, media, said)
			require.InDelta(t, middle, differs(t, without, with, result.Width, result.Height), 0.07, "%s, %s", name, aspect)
		}
	}
}

// differs returns the middle of the rows in which the 11th frames of two results differ much, as a share.
func differs(tb testing.TB, a, b localFile, width, height int) float64 {
	tb.Helper()
	frame := func(f localFile) []byte {
		return runFFmpeg(tb, "-i", string(f), "-vf", "select=eq(n\\,10)", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-")
	}
	x, y := frame(a), frame(b)
	require.Len(tb, y, width*height)
	sum, count := 0., 0.
	for i := range x {
		if d := int(x[i]) - int(y[i]); max(d, -d) > 60 {
			sum, count = sum+float64(i/width), count+1
		}
	}
	return sum / count / float64(height)
}

// A still shows the same crop, or the same halves, as the video at its moment.
func TestStillOfFocus(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	media := twoPeople(t, 6, "lt(mod(t,6),3)")
	for _, kind := range []engine.Focus{engine.FocusAuto, engine.FocusBoth} {
		r := render.Request{Window: window(0, 6000), Words: talkOfTwo(6000, 3000), Focus: kind, ShortSide: 144}
		file, result := rendered(t, media, r)
		var still bytes.Buffer
		alone, err := renderer.Still(t.Context(), media, r, &still)
		require.NoError(t, err)
		require.Equal(t, result.Poster, alone.Poster)
		drawn, err := jpeg.Decode(&still)
		require.NoError(t, err)
		shown := poster(t, string(file), result.Poster)
		sum := 0.
		for y := range result.Height {
			for x := range result.Width {
				a, _, _, _ := drawn.At(x, y).RGBA()
				b, _, _, _ := shown.At(x, y).RGBA()
				sum += math.Abs(float64(a)-float64(b)) / 257
			}
		}
		require.Less(t, sum/float64(result.Width*result.Height), 8., kind)
	}
}
