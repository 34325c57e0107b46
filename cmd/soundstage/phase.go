package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/render"
)

// phaseHint returns what to do about media without speech if its channels cancel each other out when they are mixed to one, as everything that
// listens does: one channel has inverted phase. It returns "" for other media.
func phaseHint(ctx context.Context, path string) string {
	ffmpeg := render.FFmpeg{}
	m, err := openMedia(ctx, ffmpeg, path, 0)
	if err != nil || m.info.Audio == nil || m.info.Audio.Channels < 2 {
		return ""
	}
	pcm, err := ffmpeg.DecodeChannels(ctx, m.src, transcript.SampleRate, m.info.Audio.Channels)
	if err != nil {
		return ""
	}
	defer func() { _ = pcm.Close() }()
	if !cancels(pcm, m.info.Audio.Channels) {
		return ""
	}
	return "Its channels cancel each other out when they are mixed: one has inverted phase. Keep one of them: `ffmpeg -i IN -af \"pan=mono|c0=c0\" OUT`."
}

// cancels reports whether the mean of all channels is at least 30 dB quieter than they are, and they aren't silent. sound has 16-bit samples.
func cancels(sound io.Reader, channels int) bool {
	const silence = 33 * 33 // -60 dB
	frame := make([]byte, 2*channels)
	mixed, apart, n := 0.0, 0.0, 0.0
	for r := bufio.NewReaderSize(sound, 64<<10); ; n++ {
		if _, err := io.ReadFull(r, frame); err != nil {
			break
		}
		sum := 0.0
		for c := range channels {
			v := float64(int16(binary.LittleEndian.Uint16(frame[2*c:])))
			sum += v
			apart += v * v / float64(channels)
		}
		sum /= float64(channels)
		mixed += sum * sum
	}
	return apart > silence*n && mixed < apart/1000
}
