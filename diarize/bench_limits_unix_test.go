//go:build unix

package diarize_test

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// BenchmarkLimitSpeakers compares telling the speakers of an hour apart, on one core, with its Fourier transforms and distances alone: a transform
// each 10 ms, and the distance of 20 numbers for each pair of windows, which begin every 0.75 s, within 20 min.
func BenchmarkLimitSpeakers(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const length = time.Hour
	audio := aBlock(b)
	compared := turns.Compare(turns.Way{Name: "speakers", Cost: speakersOf(b, audio, length)}, turns.Way{Name: "bare", Cost: turns.CPU(func() { bareSpeakers(b, audio, length) })}).Rounds(3)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(length.Seconds()/compared.Cost("speakers").Median, "x-real-time")
	b.ReportMetric(length.Seconds()/compared.Cost("bare").Median, "bare-x-real-time")
	compared.Ratio("speakers", "bare").Report(b, "ratio")
}

// BenchmarkLimitGrowth compares telling the speakers of ten hours apart with those of one.
func BenchmarkLimitGrowth(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	audio := aBlock(b)
	grown := turns.Compare(turns.Way{Name: "ten", Cost: speakersOf(b, audio, 10*time.Hour)}, turns.Way{Name: "one", Cost: speakersOf(b, audio, time.Hour)}).Rounds(1)
	for b.Loop() { // the figures don't come from a loop
	}
	b.ReportMetric(0, "ns/op")
	grown.Ratio("ten", "one").Report(b, "growth")
}

// aBlock returns as much audio as is clustered at a time. Repeats within a block would be clustered once.
func aBlock(b *testing.B) []byte {
	samples, _ := script{seed: 60, voices: cast[:4], length: 20 * time.Minute, noise: 25}.play(b)
	return pcm(samples)
}

// speakersOf returns what it costs to tell the speakers of a repeated recording apart.
func speakersOf(b *testing.B, audio []byte, length time.Duration) func() float64 {
	return turns.CPU(func() {
		size := int64(length.Seconds()) * rate * 2
		found, err := diarize.Run(context.Background(), io.LimitReader(&loopReader{audio: audio}, size), diarize.Config{})
		require.NoError(b, err)
		require.NotEmpty(b, found)
	})
}

// bareSpeakers does the least that the work needs.
func bareSpeakers(b *testing.B, audio []byte, length time.Duration) {
	const block, step, numbers = 20 * time.Minute, 750 * time.Millisecond, 20
	fft, frame, power := dsp.NewFFT(512), make([]float64, 400), make([]float64, 257)
	sound := bytes.NewReader(audio)
	raw := make([]byte, 320)
	for range int(length / (10 * time.Millisecond)) {
		if _, err := io.ReadFull(sound, raw); err != nil {
			sound.Reset(audio)
			continue
		}
		copy(frame, frame[160:])
		for i := range 160 {
			frame[240+i] = float64(int16(raw[2*i]) | int16(raw[2*i+1])<<8)
		}
		fft.Power(power, frame)
	}
	windows := make([][numbers]float64, block/step)
	for i := range windows {
		copy(windows[i][:], power[i%200:])
	}
	sum := 0.0
	for range int(length / block) {
		for i := range windows {
			for k := range i {
				distance := 0.0
				for n, v := range windows[i] {
					d := v - windows[k][n]
					distance += d * d
				}
				sum += distance
			}
		}
	}
	require.Positive(b, sum)
}
