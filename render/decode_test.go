package render_test

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	for name, want := range map[string]int{
		// Every format decodes to as many samples as were encoded, within one frame.
		"conversation.mp3": 398394,
		"conversation.m4a": 398394,
		"conversation.mp4": 398394,
		"conversation.ogg": 398394,
		"german.m4a":       61552,
		"cover.mp3":        32000,
		"vbr.mp3":          123200,
		"raw.aac":          123200,
		"streamed.webm":    64000,
		"tooshort.wav":     1600,
		// The intact part of a truncated file is decoded.
		"truncated.mp4": 174080,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.InDelta(t, want, len(decode(t, render.FFmpeg{}, localFile(shared(name)))), 2048)
		})
	}
}

// Audio that is already 16 kHz mono decodes unchanged, and so does losslessly compressed audio.
func TestDecodeExactly(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	want := samplesOf(t, shared("conversation.wav"))
	require.Equal(t, want, decode(t, render.FFmpeg{}, localFile(shared("conversation.wav"))))
	require.Equal(t, want[:80000], decode(t, render.FFmpeg{}, localFile(shared("opening.flac"))))
}

// Other rates and channel counts become 16 kHz mono, and a tone keeps its pitch and level.
func TestDecodeConverts(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	const seconds, frequency, amplitude = 2, 440, 8000
	for name, c := range map[string]struct{ rate, channels int }{
		"telephone":       {8000, 1},
		"44.1 kHz stereo": {44100, 2},
		"surround":        {48000, 6},
		"14 channels":     {48000, 14}, // ffmpeg has no layout for these channels
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tone := sine(c.rate, c.channels, c.rate*seconds, frequency, amplitude)
			got := decode(t, render.FFmpeg{}, inMemory(slices.Concat(wav(c.rate, c.channels, uint32(len(tone))), tone)))
			require.InDelta(t, transcript.SampleRate*seconds, len(got), 2)
			middle := got[1600 : len(got)-1600]
			crossings, square := 0, 0.0
			for i := 1; i < len(middle); i++ {
				if middle[i-1] < 0 && middle[i] >= 0 {
					crossings++
				}
				square += float64(middle[i]) * float64(middle[i])
			}
			length := float64(len(middle)) / transcript.SampleRate
			require.InDelta(t, frequency, float64(crossings)/length, 1)
			require.InEpsilon(t, amplitude/math.Sqrt2, math.Sqrt(square/float64(len(middle))), 0.02)
		})
	}
}

// Sample n is at time n/16000 of the media, even when the audio starts later than the picture.
func TestDecodeKeepsTime(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	got := decode(t, render.FFmpeg{}, localFile(shared("late.mkv")))
	first := slices.IndexFunc(got, func(v int16) bool { return v > 50 || v < -50 })
	require.InDelta(t, transcript.SampleRate, first, 16)
}

// Decoding an hour streams: the reader gets samples right after ffmpeg starts, memory doesn't grow with the length, and no
// process or file remains. Not parallel: it counts goroutines and bytes.
func TestDecodeStreams(t *testing.T) {
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	path := hour(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)

	stream, err := render.FFmpeg{}.Decode(context.Background(), localFile(path))
	require.NoError(t, err)
	buf := make([]byte, 64<<10)
	_, err = io.ReadFull(stream, buf)
	require.NoError(t, err)
	if runtime.GOOS == "linux" {
		require.Len(t, processes(t, path), 1, "ffmpeg still runs")
	}
	total := int64(len(buf))
	for err == nil {
		var n int
		n, err = stream.Read(buf)
		total += int64(n)
	}
	require.Equal(t, io.EOF, err)
	require.NoError(t, stream.Close())

	runtime.ReadMemStats(&after)
	require.Equal(t, int64(3600*transcript.SampleRate*2), total)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2<<20), "bytes allocated for 115 MB of samples")
	require.Eventually(t, func() bool {
		stacks := make([]byte, 1<<20)
		return !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("render.(*process)"))
	}, time.Minute, time.Millisecond)
}

// hour returns an hour of silence as a sparse WAV file.
func hour(tb testing.TB) string {
	tb.Helper()
	const size = 3600 * transcript.SampleRate * 2
	path := filepath.Join(tb.TempDir(), "hour.wav")
	require.NoError(tb, os.WriteFile(path, wav(transcript.SampleRate, 1, size), 0o600))
	require.NoError(tb, os.Truncate(path, size+44))
	return path
}

func BenchmarkProbe(b *testing.B) {
	needFFmpeg(b)
	for _, name := range []string{"conversation.wav", "conversation.mp3", "conversation.mp4"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := render.FFmpeg{}.Probe(context.Background(), localFile(shared(name)))
				require.NoError(b, err)
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	needFFmpeg(b)
	tone := sine(44100, 2, 44100*60, 440, 8000)
	minute := temporary(b, "minute.wav", wav(44100, 2, uint32(len(tone))), tone)
	for name, path := range map[string]string{
		"conversation.wav": shared("conversation.wav"), "conversation.mp4": shared("conversation.mp4"),
		"minute": minute, "hour": hour(b),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				stream, err := render.FFmpeg{}.Decode(context.Background(), localFile(path))
				require.NoError(b, err)
				_, err = io.Copy(io.Discard, stream)
				require.NoError(b, err)
				require.NoError(b, stream.Close())
			}
		})
	}
}
