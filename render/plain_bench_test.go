//go:build unix

package render_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/turns"
	"github.com/soundstage-dev/soundstage/render"
)

// BenchmarkPlain compares a 9:16 crop with captions with a plain pipeline of ffmpeg that does the same job: crop, burn the captions, normalise,
// x264 veryfast at CRF 21. Processor time: at most 0.85 times. The file: at most 1.05 times as large, at the same SSIM against the picture
// without loss; dB is how much closer to that picture ours is. focus is the processor time that following a face adds, with our own process:
// at most 1.25 times. The film is the one of BENCH_FILM, or else a face that walks to and fro in front of noise.
func BenchmarkPlain(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	media := localFile(os.Getenv("BENCH_FILM"))
	if media == "" {
		media = localFile(at("source.mp4"))
		runFFmpeg(b, "-f", "lavfi", "-i", "color=0xb0a89c:s=1280x720:r=30:d=30", "-i", filepath.Join("focus", "testdata", "face.jpg"), "-stream_loop", "-1",
			"-i", shared("conversation.wav"), "-filter_complex", "[0][1]overlay=x='500+300*sin(t/3)':y=200,noise=alls=6:allf=t", "-t", "30", "-preset", "veryfast", "-pix_fmt", "yuv420p", string(media))
	}
	r := benchRequestsIn(folder)["crop"]
	r.media, r.request.Fit, r.request.Title = media, render.Crop, ""
	follow := r
	follow.request.Focus = engine.FocusAuto
	facts, err := render.FFmpeg{}.Inspect(b.Context(), media)
	require.NoError(b, err)
	plan, err := render.NewPlan(facts, render.Sound{}, r.request)
	require.NoError(b, err)
	require.NoError(b, os.WriteFile(at("captions.ass"), []byte(plan.Captions), 0o600))
	const cut = "crop=ih*9/16:ih,scale=1080:1920:flags=bicubic"
	plain := []string{"-i", string(media), "-t", "30", "-vf", cut + ",ass=" + at("captions.ass"), "-af", "loudnorm=I=-16:TP=-1.5", "-ar", "48000",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart", at("plain.mp4")}
	megabytes := func(name string) float64 {
		info, err := os.Stat(at(name))
		require.NoError(b, err)
		return float64(info.Size()) / 1e6
	}
	compared := turns.Compare(
		turns.Way{Name: "plain", Cost: turns.CPU(func() { runFFmpeg(b, plain...) })},
		turns.Way{Name: "cpu", Cost: turns.CPU(func() { r.render(b, at("ours.mp4")) })},
		turns.Way{Name: "focus", Cost: turns.CPU(func() { follow.render(b, at("focus.mp4")) })},
	).Rounds(*rounds)
	// Without captions, since the two pipelines put them elsewhere.
	bare := r
	bare.request.Words = nil
	bare.render(b, at("ours-bare.mp4"))
	runFFmpeg(b, "-i", string(media), "-t", "30", "-an", "-vf", cut, "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-pix_fmt", "yuv420p", at("plain-bare.mp4"))
	decibels := func(name string) float64 {
		said := runFFmpeg(b, "-t", "30", "-i", string(media), "-i", at(name), "-filter_complex", fmt.Sprintf("[0:v]%s[a];[a][1:v]ssim=f=-", cut), "-f", "null", "/dev/null")
		all := regexp.MustCompile(`All:([0-9.]+)`).FindAllSubmatch(said, -1)
		sum := 0.0
		for _, m := range all {
			one, _ := strconv.ParseFloat(string(m[1]), 64)
			sum += one
		}
		return -10 * math.Log10(1-sum/float64(len(all)))
	}
	figures(b, map[string][]float64{
		"dB": {decibels("ours-bare.mp4") - decibels("plain-bare.mp4")}, "size/plain": {megabytes("ours.mp4") / megabytes("plain.mp4")},
	})
	compared.Report(b, "cpu", "plain")
	compared.Ratio("focus", "cpu").Report(b, "focus")
}
