package render_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// faceFilm writes a video in which a face walks over a wall; x is where its middle is, in pixels of 1280, an expression of the time t. wall is
// a filter of the wall.
func faceFilm(tb testing.TB, x, wall string) localFile {
	tb.Helper()
	face := filepath.Join("focus", "testdata", "face.jpg")
	// A green dot between the eyes shows where the face is in the result.
	return film(tb, "face.mp4", "-f", "lavfi", "-i", "color=0xb0a89c:s=1280x720:r=25:d=4", "-i", face, "-f", "lavfi", "-i", "sine=d=4", "-filter_complex",
		"[0]"+wall+"[w];[1]crop=240:240:0:30,drawbox=x=112:y=78:w=14:h=14:color=0x00ff00:t=fill[f];[w][f]overlay=x='"+x+"-118':y=200", "-t", "4", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
}

// dots returns where the green dot is in each frame of a result: the middle of its columns, as a share, or NaN where it isn't.
func dots(tb testing.TB, file localFile, width, height int) (at []float64) {
	tb.Helper()
	b := runFFmpeg(tb, "-i", string(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
	for frame := 0; (frame+1)*width*height*3 <= len(b); frame++ {
		sum, count := 0, 0
		for i := range width * height {
			if p := b[(frame*width*height+i)*3:]; p[1] > 150 && p[0] < 110 && p[2] < 110 {
				sum, count = sum+i%width, count+1
			}
		}
		at = append(at, float64(sum)/float64(count)/float64(width))
	}
	return at
}

// A face that walks through the picture stays in the crop in at least 98 % of the frames, without jitter.
func TestFocusAuto(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it renders video")
	file, result := rendered(t, faceFilm(t, "(240+220*t)", "null"), render.Request{Window: window(0, 4000), Focus: engine.FocusAuto})
	require.Empty(t, result.Message)
	in, steps, before := 0, 0., 0.
	at := dots(t, file, result.Width, result.Height)
	require.Len(t, at, 100)
	for i, v := range at {
		if v > 0.2 && v < 0.8 {
			in++
		}
		if i > 0 {
			steps = max(steps, math.Abs(v-before))
		}
		before = v
	}
	require.GreaterOrEqual(t, in, 98)
	require.Less(t, steps, 0.05, "the face moves smoothly in the crop")
	b, err := os.ReadFile(string(file))
	require.NoError(t, err)
	require.True(t, bytes.Contains(b, []byte(" zones=")), "x264 writes its options into the file: frames with moves cost less")
}

// The crop changes at exactly the frame of a shot change.
func TestFocusCuts(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it renders video")
	file, result := rendered(t, faceFilm(t, "if(lt(t,1.48),300,1000)", "negate=enable='gte(t,1.48)'"), render.Request{Window: window(0, 3000), Focus: engine.FocusAuto})
	for i, v := range dots(t, file, result.Width, result.Height) {
		require.InDelta(t, 0.5, v, 0.12, "frame %d", i)
	}
}

// A point moves the crop, and the crop stays inside the picture.
func TestFocusPoint(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it renders video")
	media := faceFilm(t, "320", "null")
	for focus, want := range map[engine.Focus]float64{engine.FocusAt(0.25, 0.5): 0.5, engine.FocusAt(0, 0): 0.79, engine.FocusAt(0.3, 1): 0.34} {
		file, result := rendered(t, media, render.Request{Window: window(0, 200), Focus: focus})
		require.Contains(t, result.Message, "32 %")
		require.InDelta(t, want, dots(t, file, result.Width, result.Height)[2], 0.03, focus)
	}
}

// A crop without faces says so, and a picture with sound only, or one that isn't cropped, looks for none.
func TestFocusWithoutFaces(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Short(t, "it renders video")
	_, result := rendered(t, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 1000), Focus: engine.FocusAuto})
	require.Contains(t, result.Message, "No face was found")
	for aspect := range map[engine.AspectRatio]bool{engine.AspectOriginal: true} {
		_, result = rendered(t, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 400), Focus: engine.FocusAuto, Aspect: aspect})
		require.NotContains(t, result.Message, "face")
	}
	for _, sound := range []string{"tone.wav", "cover.mp3"} {
		for _, focus := range []engine.Focus{engine.FocusAuto, engine.FocusBoth} {
			_, err := renderer.Render(t.Context(), localFile(shared(sound)), render.Request{Window: window(0, 400), Focus: focus}, filepath.Join(t.TempDir(), "a.mp4"), nil)
			require.Contains(t, code(t, engine.CodeInvalid, err).Msg, "focus", sound)
		}
	}
	_, err := render.NewPlan(talk(), speech(), render.Request{Window: window(0, 400), Focus: engine.FocusAuto, Fit: render.Blur})
	require.Contains(t, code(t, engine.CodeInvalid, err).Msg, "blur")
}

// Odd media follow faces, too, or at least give a video: tiny and extreme pictures, 240 frames per second, 0.2 s, no sound.
func TestFocusOddMedia(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow.Skip(t, "it renders video")
	for name, c := range map[string]struct {
		args   []string
		length int
	}{
		"one row":         {[]string{"-f", "lavfi", "-i", "testsrc2=s=320x16:r=25:d=1", "-vf", "format=yuv444p,crop=320:1", "-c:v", "ffv1", "-pix_fmt", "yuv444p"}, 400},
		"one column":      {[]string{"-f", "lavfi", "-i", "testsrc2=s=16x320:r=25:d=1", "-vf", "format=yuv444p,crop=1:320", "-c:v", "ffv1", "-level", "1", "-pix_fmt", "yuv444p"}, 400},
		"240 per second":  {[]string{"-f", "lavfi", "-i", "testsrc2=s=640x360:r=240:d=1", "-preset", "ultrafast"}, 400},
		"0.2 s, no sound": {[]string{"-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=0.2", "-preset", "ultrafast"}, 200},
		"a slow film":     {[]string{"-f", "lavfi", "-i", "testsrc2=s=640x360:r=1:d=3", "-preset", "ultrafast"}, 2000},
		"a stream":        {[]string{"-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=2", "-f", "mpegts", "-preset", "ultrafast"}, 1000},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			file := film(t, "odd.mkv", c.args...)
			_, result := rendered(t, file, render.Request{Window: window(0, c.length), Focus: engine.FocusBoth})
			require.InDelta(t, float64(c.length), float64(result.Duration.Milliseconds()), 40, fmt.Sprint(result))
		})
	}
}
