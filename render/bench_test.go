//go:build unix

package render_test

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/turns"
	"github.com/soundstage-dev/soundstage/render"
)

// These benchmarks measure renders of 30 s at 1080 × 1920. A figure is the median of several turns. Compared figures are
// measured alternately, because other programs share the machine. Limits that we set are in the comment of each benchmark.

const benchLength = 30 * time.Second

// rounds is the number of measurements of each figure; more of them give surer figures.
var rounds = flag.Int("turns", 3, "how often each figure of a benchmark is measured")

// figures reports medians instead of what the testing package measures.
func figures(b *testing.B, values map[string][]float64) {
	b.Helper()
	for b.Loop() { // the figures aren't those of a loop
	}
	b.ReportMetric(0, "ns/op")
	for unit, v := range values {
		slices.Sort(v)
		b.ReportMetric(v[len(v)/2], unit)
	}
}

// usage returns the processor time of this process or of its finished children.
func usage(tb testing.TB, who int) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	require.NoError(tb, syscall.Getrusage(who, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cost runs a function and returns the processor time of its children and the wall time, both in seconds.
func cost(tb testing.TB, run func()) (cpu, wall float64) {
	tb.Helper()
	before, begin := usage(tb, syscall.RUSAGE_CHILDREN), time.Now()
	run()
	return (usage(tb, syscall.RUSAGE_CHILDREN) - before).Seconds(), time.Since(begin).Seconds()
}

// childCPU returns a cost: the processor time of fn's children.
func childCPU(tb testing.TB, fn func()) func() float64 {
	return func() float64 {
		cpu, _ := cost(tb, fn)
		return cpu
	}
}

// benchFilm writes a video of the given length whose picture, 1280 by 720, moves everywhere.
func benchFilm(tb testing.TB, folder string, length time.Duration) localFile {
	tb.Helper()
	seconds := strconv.FormatFloat(length.Seconds(), 'f', 3, 64)
	path := filepath.Join(folder, "source.mp4")
	runFFmpeg(tb, "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d="+seconds, "-stream_loop", "-1", "-i", shared("conversation.wav"),
		"-t", seconds, "-preset", "veryfast", "-pix_fmt", "yuv420p", path)
	return localFile(path)
}

// benchRequests writes media into a folder and returns the requests to measure.
func benchRequests(tb testing.TB, folder string) map[string]benchRequest {
	tb.Helper()
	runFFmpeg(tb, "-i", string(benchFilm(tb, folder, benchLength)), "-vn", filepath.Join(folder, "source.mp3"))
	return benchRequestsIn(folder)
}

// benchRequestsIn returns the requests for media that already exist, with three words per second.
func benchRequestsIn(folder string) map[string]benchRequest {
	video, sound := localFile(filepath.Join(folder, "source.mp4")), localFile(filepath.Join(folder, "source.mp3"))
	text := strings.Repeat(spoken["en"].text+" ", 7)
	r := render.Request{Window: transcript.Window{End: benchLength}, Words: wordsOf(text, 0, benchLength), Title: spoken["en"].title}
	crop, blur := r, r
	crop.Fit, blur.Fit = render.Crop, render.Blur
	look, audiogram := crop, r
	look.Look, audiogram.Look = preset("karaoke-pill"), preset("podcast-light")
	return map[string]benchRequest{
		"crop": {video, crop}, "blur": {video, blur}, "audiogram": {sound, r}, "look": {video, look}, "look-audiogram": {sound, audiogram},
	}
}

type benchRequest struct {
	media   localFile
	request render.Request
}

// render renders the request.
func (r benchRequest) render(tb testing.TB, out string) {
	tb.Helper()
	_, err := render.FFmpeg{}.Render(context.Background(), r.media, r.request, out, nil)
	require.NoError(tb, err)
}

func preset(name string) *render.Style {
	s, err := render.Preset(name)
	if err != nil {
		panic(err)
	}
	return &s
}

// BenchmarkLook compares the cost of each preset whose words move with that of the same preset without motion: at most 1.20 times.
func BenchmarkLook(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	r := benchRequests(b, folder)["look"]
	for _, name := range []string{"bold-pop", "karaoke-pill", "lower-third", "podcast-dark", "big-caps"} {
		b.Run(name, func(b *testing.B) {
			moving, still := preset(name), preset(name)
			still.Motion.Entrance, still.Highlight.GlideMS, still.Highlight.Scale = "none", 0, 1
			look := func(name string, look *render.Style) turns.Way {
				return turns.Way{Name: name, Cost: func() float64 {
					r.request.Look = look
					cpu, _ := cost(b, func() { r.render(b, filepath.Join(folder, "out.mp4")) })
					return cpu
				}}
			}
			compared := turns.Compare(look("cpu", moving), look("still", still), look("captions", nil)).Rounds(*rounds)
			figures(b, map[string][]float64{"cpu-s": compared.Costs("cpu")})
			compared.Report(b, "cpu", "still")
			compared.Report(b, "cpu", "captions")
		})
	}
}

// BenchmarkRender compares the cost of a render with that of encoding the same frames without captions or scaling: at most
// 1.2 times for crop and blur, and 0.7 for an audiogram. It also compares with the same render without captions: at
// most 1.15 times.
//
// On two idle processors, crop must reach 2.0 times real time, blur 1.6, and an audiogram 5.0. These limits hold for a
// machine whose bare encoding takes referenceCPU. x-realtime is measured on this machine. x-reference is scaled to the
// reference machine by the bare encoding of the same run.
func BenchmarkRender(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	requests := benchRequests(b, folder)
	for _, name := range []string{"crop", "blur", "audiogram"} {
		b.Run(name, func(b *testing.B) {
			r := requests[name]
			bare := r
			bare.request.Words, bare.request.Title = nil, ""
			out, raw, sound := filepath.Join(folder, "out.mp4"), filepath.Join(folder, "frames.nut"), filepath.Join(folder, "sound.wav")
			r.render(b, out)
			runFFmpeg(b, "-i", out, "-map", "0:v", "-c:v", "rawvideo", raw)
			runFFmpeg(b, "-i", out, "-vn", sound)
			defer func() { _ = os.Remove(raw) }()
			v := map[string][]float64{}
			compared := turns.Compare(
				turns.Way{Name: "cpu", Cost: func() float64 {
					cpu, wall := cost(b, func() { r.render(b, out) })
					v["x-realtime"] = append(v["x-realtime"], benchLength.Seconds()/wall)
					return cpu
				}},
				turns.Way{Name: "uncaptioned", Cost: childCPU(b, func() { bare.render(b, out) })},
				turns.Way{Name: "bare", Cost: childCPU(b, func() {
					runFFmpeg(b, "-i", raw, "-i", sound, "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-profile:v", "high",
						"-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart", filepath.Join(folder, "bare.mp4"))
				})},
			).Rounds(*rounds)
			v["cpu-s"], v["bare-cpu-s"] = compared.Costs("cpu"), compared.Costs("bare")
			for i, limit := range v["bare-cpu-s"] {
				v["x-reference"] = append(v["x-reference"], v["x-realtime"][i]*limit/referenceCPU[name])
			}
			figures(b, v)
			compared.Report(b, "cpu", "bare")
			compared.Report(b, "cpu", "uncaptioned")
		})
	}
}

// referenceCPU is the processor time in seconds of the bare encoding on the machine for which the speed limits were set.
var referenceCPU = map[string]float64{"crop": 15.2, "blur": 15.2, "audiogram": 6.3}

// memoryOf is the variable with the request that BenchmarkRenderAlone renders: "crop", a colon, and the folder of the media.
const memoryOf = "SOUNDSTAGE_BENCH_MEMORY"

// BenchmarkRenderAlone runs in a separate process for BenchmarkMemory. It renders once and prints the peak memory of itself
// and of ffmpeg.
func BenchmarkRenderAlone(t *testing.B) {
	name, folder, ok := strings.Cut(os.Getenv(memoryOf), ":")
	if !ok {
		t.Skip("BenchmarkMemory runs this")
	}
	benchRequestsIn(folder)[name].render(t, filepath.Join(folder, "memory.mp4"))
	peak := func(who int) int64 {
		var u syscall.Rusage
		_ = syscall.Getrusage(who, &u)
		if runtime.GOOS == "darwin" {
			return u.Maxrss
		}
		return u.Maxrss << 10
	}
	fmt.Printf("bytes %d %d\n", peak(syscall.RUSAGE_SELF), peak(syscall.RUSAGE_CHILDREN))
}

// BenchmarkMemory measures the peak of our process and of the largest ffmpeg together: at most 400 MB for a clip, 300 MB for
// an audiogram.
func BenchmarkMemory(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	_ = benchRequests(b, folder)
	for _, name := range []string{"crop", "blur", "audiogram", "look", "look-audiogram"} {
		b.Run(name, func(b *testing.B) {
			v := map[string][]float64{}
			for range *rounds {
				cmd := exec.Command(os.Args[0], "-test.run", "^$", "-test.bench", "^BenchmarkRenderAlone$", "-test.benchtime", "1x")
				cmd.Env = append(os.Environ(), memoryOf+"="+name+":"+folder)
				out, err := cmd.Output()
				require.NoError(b, err)
				var own, ffmpeg float64
				_, peaks, _ := strings.Cut(string(out), "bytes ")
				_, err = fmt.Sscanf(peaks, "%f %f", &own, &ffmpeg)
				require.NoError(b, err, "%s", out)
				v["MB"] = append(v["MB"], (own+ffmpeg)/1e6)
				v["MB-own"] = append(v["MB-own"], own/1e6)
			}
			figures(b, v)
		})
	}
}

// BenchmarkLateStart measures the extra time of a render that starts 58 min into an hour: at most 0.5 s.
func BenchmarkLateStart(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	hour := filepath.Join(folder, "hour.mp4")
	runFFmpeg(b, "-stream_loop", "119", "-i", string(benchFilm(b, folder, benchLength)), "-c", "copy", "-t", "3600", hour)
	r := benchRequest{localFile(hour), render.Request{Words: wordsOf(spoken["en"].text, 0, time.Hour)}}
	v := map[string][]float64{}
	for range 2**rounds + 1 {
		var took [2]float64
		for i, start := range []time.Duration{0, 58 * time.Minute} {
			r.request.Window = transcript.Window{Start: start, End: start + 2*time.Second}
			_, took[i] = cost(b, func() { r.render(b, filepath.Join(folder, "out.mp4")) })
		}
		v["s-later"] = append(v["s-later"], took[1]-took[0])
	}
	figures(b, v)
}

// BenchmarkProgress measures the time to the first progress report (at most 0.5 s), to the first frames, and from a cancel
// to the end (at most 1 s).
func BenchmarkProgress(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	r := benchRequests(b, folder)["crop"]
	v := map[string][]float64{}
	for range 2**rounds + 1 {
		ctx, cancel := context.WithCancel(context.Background())
		begin := time.Now()
		var first, frames, canceled time.Time
		_, err := render.FFmpeg{}.Render(ctx, r.media, r.request, filepath.Join(folder, "out.mp4"), func(done float64, _ string) {
			now := time.Now()
			switch {
			case first.IsZero() && done > 0:
				first = now
			case frames.IsZero() && done > 0.05:
				frames = now
			case canceled.IsZero() && done > 0.1:
				canceled = now
				cancel()
			}
		})
		code := engine.CodeOf(err)
		ended := time.Now()
		cancel()
		require.Equal(b, engine.CodeCanceled, code)
		v["s-to-progress"] = append(v["s-to-progress"], first.Sub(begin).Seconds())
		v["s-to-frames"] = append(v["s-to-frames"], frames.Sub(begin).Seconds())
		v["s-to-exit"] = append(v["s-to-exit"], ended.Sub(canceled).Seconds())
	}
	figures(b, v)
}

// BenchmarkOwnTime measures the time of a render outside ffmpeg, at most 150 ms: a whole render with programs that replay
// recorded answers immediately.
func BenchmarkOwnTime(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	requests := benchRequests(b, folder)
	for _, name := range []string{"crop", "audiogram"} {
		b.Run(name, func(b *testing.B) {
			r := requests[name]
			kept := b.TempDir()
			film := filepath.Join(kept, "film.mp4")
			r.render(b, film)
			answer := func(name string, args ...string) {
				cmd := exec.Command(args[0], args[1:]...)
				said, err := cmd.Output()
				require.NoError(b, err)
				require.NoError(b, os.WriteFile(filepath.Join(kept, name), said, 0o600))
			}
			answer("media.json", append([]string{"ffprobe"}, render.ProbeArgs(string(r.media))...)...)
			answer("film.json", append([]string{"ffprobe"}, render.ProbeArgs(film)...)...)
			answer("packets.csv", append([]string{"ffprobe"}, render.PacketArgs(string(r.media), "")...)...)
			answer("samples", "ffmpeg", "-v", "error", "-i", string(r.media), "-f", "s16le", "-ac", "1", "-ar", "16000", "-")
			script := fmt.Sprintf(`cd %q
case "$*" in
*csv=*) exec cat packets.csv ;;
*.part*json*|*json*.part*) exec cat film.json ;;
*json*) exec cat media.json ;;
*-progress*) for last; do :; done; exec cp film.mp4 "${last#file:}" ;;
*) exec cat samples ;;
esac`, kept)
			program := filepath.Join(kept, "program")
			executable.Write(b, program, "#!/bin/sh\n"+script+"\n")
			f := render.FFmpeg{FFmpeg: program, FFprobe: program}
			v := map[string][]float64{}
			for range 5 * *rounds {
				cpu, begin := usage(b, syscall.RUSAGE_SELF), time.Now()
				_, err := f.Render(context.Background(), r.media, r.request, filepath.Join(folder, "out.mp4"), nil)
				require.NoError(b, err)
				v["ms"] = append(v["ms"], float64(time.Since(begin).Microseconds())/1000)
				v["cpu-ms"] = append(v["cpu-ms"], float64((usage(b, syscall.RUSAGE_SELF)-cpu).Microseconds())/1000)
			}
			figures(b, v)
		})
	}
}

// BenchmarkPlan measures NewPlan.
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

// BenchmarkBackground measures drawing the background of an audiogram, as a PNG.
func BenchmarkBackground(b *testing.B) {
	cover := image.NewRGBA(image.Rect(0, 0, 1000, 1000))
	for b.Loop() {
		require.NoError(b, (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(io.Discard, render.Background(1080, 1920, cover)))
	}
}
