//go:build unix

package render_test

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// usage is what all child processes used so far.
func usage(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cost runs something and returns the processor time of its children, and how long it took.
func cost(tb testing.TB, run func()) (cpu, wall time.Duration) {
	tb.Helper()
	before, begin := usage(tb), time.Now()
	run()
	return usage(tb) - before, time.Since(begin)
}

// BenchmarkRender compares what a render costs with the bare encoding of the same frames, in turns. The bounds
// that we set: crop at most 1.5 times, blur 1.65 times, an audiogram 1.4 times, captions 1.15 times the same without.
func BenchmarkRender(b *testing.B) {
	needFFmpeg(b)
	const seconds = 10
	w := engine.Window{End: seconds * time.Second}
	folder := b.TempDir()
	source := filepath.Join(folder, "source.mp4")
	runFFmpeg(b, "-f", "lavfi", "-i", fmt.Sprintf("testsrc2=s=1280x720:r=30:d=%d", seconds), "-i", shared("conversation.wav"),
		"-t", strconv.Itoa(seconds), "-preset", "veryfast", "-pix_fmt", "yuv420p", source)
	words := wordsOf(spoken["en"].text+" "+spoken["en"].text, 0, seconds*time.Second)
	for _, c := range []struct {
		name    string
		media   string
		request render.Request
	}{
		{"crop", source, render.Request{Window: w, Fit: render.Crop, Words: words, Title: spoken["en"].title}},
		{"blur", source, render.Request{Window: w, Fit: render.Blur, Words: words, Title: spoken["en"].title}},
		{"audiogram", shared("conversation.mp3"), render.Request{Window: w, Aspect: engine.AspectSquare, Words: words, Title: spoken["en"].title}},
	} {
		b.Run(c.name, func(b *testing.B) {
			out := filepath.Join(folder, "out.mp4")
			render1 := func(r render.Request) func() {
				return func() {
					_, err := render.FFmpeg{}.Render(context.Background(), localFile(c.media), r, out, nil)
					require.NoError(b, err)
				}
			}
			bare := c.request
			bare.Words, bare.Title = nil, ""
			render1(c.request)()
			frames, sound := filepath.Join(folder, "frames.nut"), filepath.Join(folder, "sound.wav")
			runFFmpeg(b, "-i", out, "-map", "0:v", "-c:v", "rawvideo", frames)
			runFFmpeg(b, "-i", out, "-vn", sound)
			defer func() { _ = os.Remove(frames) }()
			encode := func() {
				runFFmpeg(b, "-i", frames, "-i", sound, "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-profile:v", "high",
					"-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart", filepath.Join(folder, "bare.mp4"))
			}
			var whole, plain, limit, wall time.Duration
			for b.Loop() {
				cpu, took := cost(b, render1(c.request))
				whole, wall = whole+cpu, wall+took
				cpu, _ = cost(b, render1(bare))
				plain += cpu
				cpu, _ = cost(b, encode)
				limit += cpu
			}
			b.ReportMetric(float64(whole)/float64(limit), "cpu/bare")
			b.ReportMetric(float64(whole)/float64(plain), "cpu/uncaptioned")
			b.ReportMetric(seconds*float64(b.N)/wall.Seconds(), "x-realtime")
		})
	}
}

// BenchmarkPlan is what a render costs outside ffmpeg, but for starting it.
func BenchmarkPlan(b *testing.B) {
	words := wordsOf(spoken["en"].text, 0, 3*time.Second)
	var p render.Plan
	for b.Loop() {
		var err error
		p, err = render.NewPlan(talk(), speech(), render.Request{Window: window(0, 3000), Words: words, Title: spoken["en"].title})
		require.NoError(b, err)
		_, err = p.Args("/in", "/out", 2)
		require.NoError(b, err)
	}
}

// BenchmarkBackground is the other part of it: the picture behind an audiogram, as a PNG.
func BenchmarkBackground(b *testing.B) {
	cover := image.NewRGBA(image.Rect(0, 0, 1000, 1000))
	for b.Loop() {
		require.NoError(b, (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(io.Discard, render.Background(1080, 1920, cover)))
	}
}
