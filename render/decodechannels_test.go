package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// All channels come interleaved, unchanged, and at their own rate.
func TestDecodeChannels(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	for name, c := range map[string]struct{ rate, channels int }{
		"telephone": {8000, 1}, "stereo": {44100, 2}, "surround": {48000, 6}, "no layout": {48000, 14},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []byte
			for i := range c.rate * c.channels {
				want = binary.LittleEndian.AppendUint16(want, uint16(i*7919))
			}
			pcm, err := render.FFmpeg{}.DecodeChannels(context.Background(), inMemory(slices.Concat(wav(c.rate, c.channels, uint32(len(want))), want)), c.rate, c.channels)
			require.NoError(t, err)
			got, err := io.ReadAll(pcm)
			require.NoError(t, err)
			require.NoError(t, pcm.Close())
			require.True(t, bytes.Equal(want, got), "%d and %d bytes", len(want), len(got))
		})
	}
}

// Sound that starts late begins with silence, so that sample n is at time n/rate.
func TestDecodeChannelsLate(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	pcm, err := render.FFmpeg{}.DecodeChannels(context.Background(), localFile(shared("late.mkv")), 16000, 1)
	require.NoError(t, err)
	all, err := io.ReadAll(pcm)
	require.NoError(t, err)
	require.NoError(t, pcm.Close())
	first := 0
	for v := int16(0); v <= 50 && v >= -50; first++ {
		v = int16(binary.LittleEndian.Uint16(all[2*first:]))
	}
	require.InDelta(t, 16000, first, 16)
}

// Rates and numbers of channels beyond the limits, and media without sound, are CodeBadMedia.
func TestDecodeChannelsErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for _, c := range []struct {
		name           string
		rate, channels int
	}{
		{"tone.wav", 0, 1}, {"tone.wav", 500_000, 1}, {"tone.wav", 16000, 0}, {"tone.wav", 16000, 17}, {"videoonly.mp4", 16000, 1}, {"notmedia.wav", 16000, 1},
	} {
		_, err := render.FFmpeg{}.DecodeChannels(context.Background(), localFile(shared(c.name)), c.rate, c.channels)
		require.Equal(t, engine.CodeBadMedia, engine.CodeOf(err), "%+v", c)
	}
}
