package render_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// One frame of the source, plus 5 ms.
const tolerance = 45 * time.Millisecond

// beepAt returns when the audio of a result starts.
func beepAt(t *testing.T, file localFile) time.Duration {
	t.Helper()
	samples := decode(t, render.FFmpeg{}, file)
	loudest := slices.Max(samples)
	at := slices.IndexFunc(samples, func(v int16) bool { return v > loudest/3 })
	return time.Duration(at) * time.Second / transcript.SampleRate
}

// flashAt returns when a frame of a result is bright.
func flashAt(t *testing.T, file localFile) time.Duration {
	t.Helper()
	at := slices.IndexFunc(luma(t, file, allOfIt), func(v int) bool { return v > 120 })
	require.GreaterOrEqual(t, at, 0, "no flash")
	return time.Duration(at) * time.Second / 25
}

// Picture and audio are cut exactly at the window and stay in sync, in any container and at any position.
func TestSync(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	both := []string{"-f", "lavfi", "-i", flashes, "-f", "lavfi", "-i", beeps, "-shortest"}
	x264 := append(slices.Clone(both), "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "250", "-pix_fmt", "yuv420p", "-c:a", "aac")
	for name, args := range map[string][]string{
		"a.mp4":  x264,
		"a.mov":  x264,
		"a.mkv":  x264,
		"a.ts":   x264,
		"a.webm": append(slices.Clone(both), "-c:v", "libvpx", "-deadline", "realtime", "-g", "250", "-c:a", "libopus"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			media := film(t, name, args...)
			for _, start := range []int{0, 9730} {
				file, result := rendered(t, media, render.Request{Window: window(start, start+1500), Aspect: engine.AspectSquare, Fit: render.Crop})
				require.InDelta(t, 37.5, result.Frames, 1)
				want := time.Duration((1000-start%1000)%1000) * time.Millisecond
				require.InDelta(t, want, flashAt(t, file), float64(tolerance), "flash in a window from %d", start)
				require.InDelta(t, want, beepAt(t, file), float64(tolerance), "beep in a window from %d", start)
			}
		})
	}
	sound := []string{"-f", "lavfi", "-i", beeps}
	for name, args := range map[string][]string{
		"a.wav":       sound,
		"a.flac":      sound,
		"a.ogg":       append(slices.Clone(sound), "-c:a", "libvorbis"),
		"a.m4a":       append(slices.Clone(sound), "-c:a", "aac"),
		"xing.mp3":    append(slices.Clone(sound), "-c:a", "libmp3lame", "-q:a", "4"),
		"no-xing.mp3": append(slices.Clone(sound), "-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, result := rendered(t, film(t, name, args...), render.Request{Window: window(9730, 10930), Aspect: engine.AspectSquare})
			require.True(t, result.Audiogram)
			require.Equal(t, 30, result.Frames)
			require.InDelta(t, 270*time.Millisecond, beepAt(t, file), float64(tolerance))
		})
	}
}
