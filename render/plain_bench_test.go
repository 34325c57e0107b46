//go:build unix

package render_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	media := plainFilm(b, folder)
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
	decibels := func(name string) float64 { return fidelity(b, at(name), "-t", "30", "-i", string(media), cut) }
	figures(b, map[string][]float64{
		"dB": {decibels("ours-bare.mp4") - decibels("plain-bare.mp4")}, "size/plain": {megabytes("ours.mp4") / megabytes("plain.mp4")},
	})
	compared.Report(b, "cpu", "plain")
	compared.Ratio("focus", "cpu").Report(b, "focus")
}

// plainFilm returns the film of BENCH_FILM, or writes 30 s of a face that walks to and fro in front of noise.
func plainFilm(b *testing.B, folder string) localFile {
	b.Helper()
	if film := os.Getenv("BENCH_FILM"); film != "" {
		return localFile(film)
	}
	media := filepath.Join(folder, "source.mp4")
	runFFmpeg(b, "-f", "lavfi", "-i", "color=0xb0a89c:s=1280x720:r=30:d=30", "-i", filepath.Join("focus", "testdata", "face.jpg"), "-stream_loop", "-1",
		"-i", shared("conversation.wav"), "-filter_complex", "[0][1]overlay=x='500+300*sin(t/3)':y=200,noise=alls=6:allf=t", "-t", "30", "-preset", "veryfast", "-pix_fmt", "yuv420p", media)
	return localFile(media)
}

// fidelity returns how close a video is to another after a filter: the structural similarity in dB. input has ffmpeg's arguments for the other,
// and the filter last.
func fidelity(b *testing.B, video string, input ...string) float64 {
	b.Helper()
	last := len(input) - 1
	args := append(slices.Clone(input[:last]), "-i", video, "-filter_complex", fmt.Sprintf("[0:v]%s[a];[a][1:v]ssim=f=-", input[last]), "-f", "null", "/dev/null")
	sum, n := 0.0, 0.0
	for _, m := range regexp.MustCompile(`All:([0-9.]+)`).FindAllSubmatch(runFFmpeg(b, args...), -1) {
		one, _ := strconv.ParseFloat(string(m[1]), 64)
		sum, n = sum+one, n+1
	}
	require.Positive(b, n)
	return -10 * math.Log10(1-sum/n)
}

// BenchmarkLimitCrop compares a 9:16 crop with captions with x264 veryfast alone, which gets the frames that are already cut, scaled, and decoded. It
// encodes them at the CRF at which it is as close to them as ours without captions. dB is what is left of the difference, and size compares the
// videos without captions and sound.
func BenchmarkLimitCrop(b *testing.B) {
	needFFmpeg(b)
	folder := b.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	media := plainFilm(b, folder)
	r := benchRequestsIn(folder)["crop"]
	r.media, r.request.Fit, r.request.Title = media, render.Crop, ""
	raw := at("frames.nut")
	runFFmpeg(b, "-i", string(media), "-t", "30", "-an", "-vf", "crop=ih*9/16:ih,scale=1080:1920:flags=bicubic", "-c:v", "rawvideo", "-pix_fmt", "yuv420p", raw)
	encode := func(crf float64) {
		runFFmpeg(b, "-i", raw, "-c:v", "libx264", "-preset", "veryfast", "-crf", strconv.FormatFloat(crf, 'f', 2, 64), "-pix_fmt", "yuv420p", at("bare.mp4"))
	}
	bare := r
	bare.request.Words = nil
	bare.render(b, at("uncaptioned.mp4"))
	runFFmpeg(b, "-i", at("uncaptioned.mp4"), "-an", "-c", "copy", at("ours.mp4"))
	want, low, high, crf := fidelity(b, at("ours.mp4"), "-i", raw, "null"), 14.0, 32.0, 21.0
	var left float64
	for range 4 { // 18 steps of CRF to one
		encode(crf)
		left = want - fidelity(b, at("bare.mp4"), "-i", raw, "null")
		if left > 0 { // ours is closer, so bare must be, too
			high = crf
		} else {
			low = crf
		}
		crf = (low + high) / 2
	}
	encode(crf)
	left = want - fidelity(b, at("bare.mp4"), "-i", raw, "null")
	compared := turns.Compare(
		turns.Way{Name: "cpu", Cost: turns.CPU(func() { r.render(b, at("captioned.mp4")) })},
		turns.Way{Name: "bare", Cost: turns.CPU(func() { encode(crf) })},
	).Rounds(*rounds)
	size := func(name string) float64 {
		info, err := os.Stat(at(name))
		require.NoError(b, err)
		return float64(info.Size())
	}
	figures(b, map[string][]float64{"cpu-s": compared.Costs("cpu"), "bare-crf": {crf}, "dB": {left}, "size/bare": {size("ours.mp4") / size("bare.mp4")}})
	compared.Report(b, "cpu", "bare")
}
