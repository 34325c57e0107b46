package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image/jpeg"
	"math"
	"os"
	"os/exec"
	"path/filepath"
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

// Every player and platform can play a result, and nothing of its metadata comes from its source.
func TestRenderFacts(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for _, media := range []string{"conversation.mp4", "conversation.ogg"} {
		file, result := rendered(t, localFile(shared(media)), render.Request{Window: window(2000, 4000), Title: "Title", Words: wordsOf("one two three", 2*time.Second, 4*time.Second)})
		require.Empty(t, result.Message)
		d := describe(t, file)
		require.Len(t, d.Streams, 2)
		v, a := d.Streams[0], d.Streams[1]
		require.Equal(t, []string{"video", "h264", "High", "yuv420p", "1:1", "bt709", "bt709"}, []string{v.Type, v.Codec, v.Profile, v.Format, v.Pixels, v.Transfer, v.Matrix})
		require.Equal(t, []int{144, 256}, []int{v.Width, v.Height})
		require.Equal(t, []string{"audio", "aac", "48000", "2"}, []string{a.Type, a.Codec, a.SampleRate, strconv.Itoa(a.Channels)})
		require.Equal(t, strconv.Itoa(result.Frames), v.Frames)
		rate := map[string]int{"conversation.mp4": 25, "conversation.ogg": 25}[media]
		require.Equal(t, 2*rate, result.Frames)
		require.Equal(t, "0.000000", v.Start)
		require.Equal(t, "0.000000", a.Start)
		require.Empty(t, d.Chapters)
		require.Equal(t, "Title", d.Format.Tags["title"])
		require.NotContains(t, a.Tags, "title")

		b, err := os.ReadFile(string(file))
		require.NoError(t, err)
		require.Equal(t, int64(len(b)), result.Size)
		require.Less(t, bytes.Index(b, []byte("moov")), bytes.Index(b, []byte("mdat")), "the index must come first")
		require.Equal(t, []string{"ftyp", "moov"}, boxes(b)[:2])
		info, err := os.Stat(string(file))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o644), info.Mode().Perm())
		require.Equal(t, []string{"out.mp4"}, folder(t, filepath.Dir(string(file))))
	}
}

// boxes returns the types of the top-level boxes of an MP4.
func boxes(b []byte) (kinds []string) {
	for len(b) >= 8 {
		size := int(binary.BigEndian.Uint32(b))
		kinds = append(kinds, string(b[4:8]))
		if size < 8 || size > len(b) {
			break
		}
		b = b[size:]
	}
	return kinds
}

// Whatever the source video is like, the result has the right size and number of frames.
func TestRenderVideos(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	bars := func(size, rate string, more ...string) []string {
		inputs := []string{"-f", "lavfi", "-i", "testsrc2=s=" + size + ":r=" + rate + ":d=3", "-f", "lavfi", "-i", "sine=d=3"}
		return slices.Concat(inputs, more, []string{"-preset", "ultrafast"})
	}
	const channels, rate, seconds = 14, 48000, 3
	desk := temporary(t, "desk.wav", wav(rate, channels, channels*rate*seconds*2), sine(rate, channels, rate*seconds, 440, 8000))
	plain := film(t, "plain.mp4", bars("128x72", "25")...)
	for name, c := range map[string]struct {
		media   localFile
		request render.Request
		w, h    int
		frames  int
	}{
		"turned":          {turn(t, film(t, "turned.mp4", "-i", string(plain), "-c", "copy"), true), render.Request{Aspect: engine.AspectOriginal}, 72, 128, 25},
		"turned, cropped": {turn(t, film(t, "turned2.mp4", "-i", string(plain), "-c", "copy"), false), render.Request{Fit: render.Crop}, 144, 256, 25},
		"odd":             {film(t, "odd.mp4", bars("128x72", "25", "-vf", "format=yuv444p,scale=131:77,setsar=1")...), render.Request{Aspect: engine.AspectOriginal}, 132, 78, 25},
		"oblong pixels":   {film(t, "oblong.mp4", bars("120x96", "25", "-vf", "setsar=64/45")...), render.Request{Aspect: engine.AspectOriginal}, 170, 96, 25},
		"oblong, cropped": {film(t, "oblong2.mp4", bars("120x96", "25", "-vf", "setsar=64/45")...), render.Request{Aspect: engine.AspectSquare, Fit: render.Crop}, 144, 144, 25},
		"uneven frames":   {film(t, "uneven.mp4", "-i", string(film(t, "uneven.mkv", bars("128x72", "60", "-vf", "select='not(mod(n,7))+not(mod(n,3))'")...)), "-c", "copy"), render.Request{Aspect: engine.AspectWide}, 256, 144, 30},
		"few frames":      {film(t, "few.mp4", bars("128x72", "2")...), render.Request{Aspect: engine.AspectWide}, 256, 144, 30},
		"high range": {film(t, "hdr.mp4", bars("128x72", "25", "-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67", "-colorspace", "bt2020nc",
			"-x264-params", "colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc")...), render.Request{}, 144, 256, 25},
		"full range":    {film(t, "full.mp4", bars("128x72", "25", "-pix_fmt", "yuvj420p")...), render.Request{Fit: render.Pad}, 144, 256, 25},
		"transparent":   {film(t, "alpha.mov", bars("128x72", "25", "-c:v", "qtrle")...), render.Request{Fit: render.Pad}, 144, 256, 25},
		"no sound":      {localFile(shared("videoonly.mp4")), render.Request{Aspect: engine.AspectPortrait}, 144, 180, 25},
		"silence":       {film(t, "silence.mp4", bars("128x72", "25", "-af", "volume=0")...), render.Request{Aspect: engine.AspectSquare}, 144, 144, 25},
		"late sound":    {localFile(shared("late.mkv")), render.Request{Aspect: engine.AspectSquare, Window: window(200, 1200)}, 144, 144, 30},
		"no index":      {localFile(shared("streamed.webm")), render.Request{Aspect: engine.AspectSquare, Window: window(2000, 3000)}, 144, 144, 25},
		"short picture": {film(t, "short.mkv", bars("128x72", "25", "-vf", "trim=end=1.5")...), render.Request{Aspect: engine.AspectSquare, Window: window(1000, 2500)}, 144, 144, 38},
		"short sound":   {film(t, "short2.mkv", bars("128x72", "25", "-af", "atrim=end=0.7")...), render.Request{Aspect: engine.AspectSquare, Window: window(1000, 2500)}, 144, 144, 38},
		"many channels": {film(t, "many.mkv", bars("128x72", "25", "-i", desk, "-map", "0", "-map", "2", "-c:a", "copy")...), render.Request{Aspect: engine.AspectSquare}, 144, 144, 25},
		"surround":      {film(t, "surround.mkv", bars("128x72", "25", "-ac", "6", "-c:a", "ac3")...), render.Request{Aspect: engine.AspectSquare}, 144, 144, 25},
		"many streams": {film(t, "streams.mkv", bars("128x72", "25", "-f", "lavfi", "-i", "sine=f=900:d=3", "-f", "lavfi", "-i", "color=red:s=64x64:d=3:r=10",
			"-map", "1", "-map", "2", "-map", "0", "-map", "3")...), render.Request{Aspect: engine.AspectSquare}, 144, 144, 25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.request.Window.End == 0 {
				c.request.Window = window(700, 1700)
			}
			file, result := rendered(t, c.media, c.request)
			require.Empty(t, result.Message)
			require.InDelta(t, c.frames, result.Frames, 1)
			d := describe(t, file)
			require.Equal(t, []int{c.w, c.h}, []int{d.Streams[0].Width, d.Streams[0].Height})
			require.Equal(t, "1:1", d.Streams[0].Pixels)
			require.Empty(t, d.Streams[0].SideData)
			require.Equal(t, "bt709", d.Streams[0].Transfer)
			seconds, err := strconv.ParseFloat(d.Streams[1].Duration, 64)
			require.NoError(t, err)
			require.InDelta(t, result.Duration.Seconds(), seconds, 0.022, "as long as the picture, to a frame of AAC")
		})
	}
}

// A video with rotation metadata is upright in the result, at the size of the rotated picture, in both directions.
func TestRenderRotated(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	for name, clockwise := range map[string]bool{"clockwise": true, "anticlockwise": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Stored sideways with the left half white: after a clockwise rotation, the upper half is white.
			phone := turn(t, film(t, "phone.mp4", "-f", "lavfi", "-i", "color=black:s=128x72:d=1:r=25,drawbox=w=64:c=white:t=fill", "-preset", "ultrafast", "-pix_fmt", "yuv420p"), clockwise)
			facts, err := render.FFmpeg{}.Inspect(context.Background(), phone)
			require.NoError(t, err)
			require.Equal(t, map[bool]int{true: 90, false: 270}[clockwise], facts.Picture.Rotation)
			for _, fit := range []render.Fit{render.Crop, render.Blur} {
				file, _ := rendered(t, phone, render.Request{Window: window(0, 200), Aspect: engine.AspectOriginal, Fit: fit})
				v := describe(t, file).Streams[0]
				require.Equal(t, []int{72, 128}, []int{v.Width, v.Height})
				upper, lower := luma(t, file, "iw:ih/4:0:0")[0], luma(t, file, "iw:ih/4:0:ih*3/4")[0]
				if !clockwise {
					upper, lower = lower, upper
				}
				require.Greater(t, upper, 200)
				require.Less(t, lower, 30)
			}
		})
	}
}

// A picture of another ratio is shown whole in the middle, with the blurred backdrop beside it or above and below.
func TestBackdrop(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for aspect, c := range map[engine.AspectRatio]struct{ source, before, first, last, after string }{
		// 72 of 256 columns, starting at column 92
		engine.AspectWide: {"64x128", "4:ih:86:0", "4:ih:93:0", "4:ih:159:0", "4:ih:166:0"},
		// 72 of 256 rows
		engine.AspectVertical: {"128x64", "iw:4:0:86", "iw:4:0:93", "iw:4:0:159", "iw:4:0:166"},
		// 120 of 144 columns
		engine.AspectSquare: {"120x144", "4:ih:6:0", "4:ih:14:0", "4:ih:126:0", "4:ih:134:0"},
	} {
		media := film(t, "white.mp4", "-f", "lavfi", "-i", "color=white:s="+c.source+":d=1:r=25", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
		file, _ := rendered(t, media, render.Request{Window: window(0, 200), Aspect: aspect})
		for _, inside := range []string{c.first, c.last} {
			require.Greater(t, luma(t, file, inside)[0], 250, "%s, %s", aspect, inside)
		}
		for _, outside := range []string{c.before, c.after} {
			bright := luma(t, file, outside)[0]
			require.Less(t, bright, 245, "%s, %s", aspect, outside)
			require.Greater(t, bright, 150, "%s, %s", aspect, outside)
		}
	}
}

// The audio has the loudness of podcasts, with peaks below full scale, whether the source is soft or loud.
func TestLoudness(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	for name, change := range map[string]string{"soft": "volume=-12dB", "loud": "volume=14dB,alimiter", "unchanged": "anull"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			media := film(t, "voice.wav", "-i", shared("conversation.wav"), "-af", change)
			file, _ := rendered(t, media, render.Request{Window: window(0, 10_000), Aspect: engine.AspectSquare})
			said, err := exec.Command("ffmpeg", "-nostats", "-i", string(file), "-af", "ebur128=peak=true:framelog=verbose", "-vn", "-f", "null", "-").CombinedOutput()
			require.NoError(t, err)
			number := func(what string) float64 {
				m := regexp.MustCompile(what).FindSubmatch(said)
				require.NotNil(t, m, string(said))
				v, err := strconv.ParseFloat(string(m[1]), 64)
				require.NoError(t, err)
				return v
			}
			require.InDelta(t, -16, number(`I:\s+(-[\d.]+) LUFS`), 0.7)
			require.LessOrEqual(t, number(`Peak:\s+(-?[\d.]+) dBFS`), -1.0)
		})
	}
}

// Progress starts at 0, never decreases, has messages, and is 1 when the file exists.
func TestRenderProgress(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	out := filepath.Join(t.TempDir(), "out.mp4")
	var fractions []float64
	var messages []string
	begin, first := time.Now(), time.Duration(0)
	_, err := renderer.Render(context.Background(), localFile(shared("conversation.mp4")), render.Request{Window: window(0, 8000), ShortSide: 360}, out, func(fraction float64, message string) {
		if len(fractions) == 0 {
			first = time.Since(begin)
		}
		fractions = append(fractions, fraction)
		messages = append(messages, message)
		_, err := os.Stat(out)
		require.Equal(t, fraction == 1, err == nil, "the file must appear at the end, not before")
	})
	require.NoError(t, err)
	require.Less(t, first, 30*time.Second)
	require.Zero(t, fractions[0])
	require.True(t, slices.IsSorted(fractions))
	require.Equal(t, 1.0, fractions[len(fractions)-1])
	require.Greater(t, len(fractions), 5)
	require.Equal(t, []string{render.MsgInspecting, render.MsgMeasuring, render.MsgRendering, render.MsgChecking, render.MsgDone}, slices.Compact(messages))
}

// The poster of a result is a JPEG of its loudest captioned moment, no wider than requested.
func TestPoster(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	file, result := rendered(t, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 2000), Words: wordsOf("one two", time.Second, 2*time.Second)})
	require.GreaterOrEqual(t, result.Poster, time.Second)
	var b bytes.Buffer
	require.NoError(t, renderer.Poster(context.Background(), file, result.Poster, 72, &b))
	img, err := jpeg.Decode(&b)
	require.NoError(t, err)
	require.Equal(t, []int{72, 128}, []int{img.Bounds().Dx(), img.Bounds().Dy()})

	code(t, engine.CodeBadMedia, renderer.Poster(context.Background(), localFile(shared("tone.wav")), 0, 0, &b))
	code(t, engine.CodeBadMedia, renderer.Poster(context.Background(), file, time.Hour, 0, &b))
}

// Loudest finds the same moment in the media and in its rendered video, although a moment without a caption is louder.
func TestLoudest(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	media := film(t, "loud.wav", "-f", "lavfi", "-i", "sine=frequency=440:duration=6",
		"-af", "volume='if(between(t,2.4,2.6),0.5,if(gt(t,4.5),1,0.1))':eval=frame")
	r := render.Request{Window: window(1000, 5000), Words: wordsOf("one two three four", 1500*time.Millisecond, 3500*time.Millisecond), Style: engine.StyleBars}
	file, result := rendered(t, media, r)
	at, err := renderer.Loudest(context.Background(), media, r)
	require.NoError(t, err)
	require.Equal(t, result.Poster, at)
	require.InDelta(t, 1500, at.Milliseconds(), 120)
	made := render.Request{Window: transcript.Window{End: transcript.MaxWindow}, Words: wordsOf("one two three four", 500*time.Millisecond, 2500*time.Millisecond)}
	at, err = renderer.Loudest(context.Background(), file, made)
	require.NoError(t, err)
	require.InDelta(t, 1500, at.Milliseconds(), 120)
	_, err = render.FFmpeg{}.Loudest(context.Background(), localFile(shared("notmedia.wav")), r)
	code(t, engine.CodeBadMedia, err)
}

// An audiogram shows the cover, and its bars fill from left to right while the audio plays.
func TestAudiogramFills(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	file, result := rendered(t, localFile(shared("cover.mp3")), render.Request{Window: window(0, 2000), Aspect: engine.AspectSquare, ShortSide: 360})
	require.True(t, result.Audiogram)
	gold := func(at time.Duration, from, to float64) (n int) {
		img := poster(t, string(file), at)
		for y := 180; y < 280; y++ {
			for x := int(from * 360); x < int(to*360); x++ {
				if r, g, b, _ := img.At(x, y).RGBA(); r>>8 > 170 && g>>8 > 130 && b>>8 < 110 {
					n++
				}
			}
		}
		return n
	}
	require.Zero(t, gold(0, 0, 1))
	require.NotZero(t, gold(time.Second, 0, 0.45))
	require.Zero(t, gold(time.Second, 0.55, 1))
	require.NotZero(t, gold(1900*time.Millisecond, 0.55, 1))
	before := 0
	for i, v := range luma(t, file, "iw:100:0:180") {
		require.GreaterOrEqual(t, v, before, "frame %d has fewer bars than the previous frame", i)
		before = v
	}
	r, g, b, _ := poster(t, string(file), 0).At(225, 130).RGBA()
	require.InDeltaSlice(t, []float64{63, 214, 205}, []float64{float64(r >> 8), float64(g >> 8), float64(b >> 8)}, 12, "the cover's colour")
}

// Characters that no font has are reported.
func TestMissingGlyphs(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	_, result := rendered(t, localFile(shared("conversation.mp4")), render.Request{Window: window(0, 500), Title: "Look \U00012300\U0001F525", Words: wordsOf("\U00013000\U000E0FFF x", 0, time.Second)})
	require.Contains(t, result.Message, "🔥")
	require.LessOrEqual(t, math.Abs(float64(strings.Count(result.Message, "No installed font"))-0.5), 0.5)
}
