package diarize

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	frameStep  = transcript.SampleRate / 100       // 10 ms: frame i covers the samples [160·i, 160·(i+1)) …
	frameSize  = transcript.SampleRate * 25 / 1000 // … and is computed from the 25 ms around their centre
	frameAhead = (frameSize - frameStep) / 2
	fftSize    = 512
	melFilters = 30
	melLow     = 60   // Hz
	melHigh    = 7600 // Hz
	bandLow    = 200  // Hz; the level of this band separates speech from silence
	bandHigh   = 4000 // Hz
	fullScale  = 41   // dB; level of the loudest sine in the band, 20·lg(½·Σ window)
)

// readFrames reads PCM to its end and returns its features for each 10 ms: 20 mel-frequency cepstral coefficients and the
// level in the speech band. It doesn't keep the audio. It calls onSamples, if not nil, with the samples as they are read and the frames
// so far, and progress with the number of samples so far. The coefficients are those of Davis & Mermelstein, "Comparison of
// parametric representations for monosyllabic word recognition", IEEE Trans. ASSP 28 (1980).
func readFrames(ctx context.Context, pcm io.Reader, onSamples func([]int16, *frames) error, progress func(samples int)) (*frames, error) {
	f := newFrontEnd()
	bytes, samples := make([]byte, 1<<16), make([]int16, 1<<15)
	held := 0 // the odd byte of an incomplete sample
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := io.ReadAtLeast(pcm, bytes[held:], 1)
		n += held
		for i := range n / 2 {
			samples[i] = int16(bytes[2*i]) | int16(bytes[2*i+1])<<8
		}
		f.write(samples[:n/2])
		if onSamples != nil && n >= 2 {
			if err := onSamples(samples[:n/2], f.out); err != nil {
				return nil, err
			}
		}
		if held = n % 2; held == 1 {
			bytes[0] = bytes[n-1]
		}
		progress(f.samples)
		switch {
		case errors.Is(err, io.EOF):
			f.flush()
			return f.out, nil
		case err != nil:
			return nil, fmt.Errorf("diarize: read audio: %w", err)
		}
	}
}

// frontEnd computes frames from samples.
type frontEnd struct {
	out     *frames
	samples int
	last    float64   // previous sample, for pre-emphasis
	pending []float64 // pre-emphasised samples from the start of the next frame
	noise   *rand.PCG

	window, frame, power, energies, mfcc []float64
	fft                                  *dsp.FFT
	filters                              *dsp.MelFilters
	dct                                  *dsp.DCT
}

func newFrontEnd() *frontEnd {
	return &frontEnd{
		out:     &frames{},
		pending: make([]float64, frameAhead, 1<<15+2*frameSize), // silence before the first sample
		noise:   rand.NewPCG(1, 2),
		window:  dsp.Hamming(frameSize),
		frame:   make([]float64, frameSize), power: make([]float64, fftSize/2+1),
		energies: make([]float64, melFilters), mfcc: make([]float64, coefficients),
		fft:     dsp.NewFFT(fftSize),
		filters: dsp.NewMelFilters(melFilters, fftSize, transcript.SampleRate, melLow, melHigh),
		dct:     dsp.NewDCT(melFilters, coefficients),
	}
}

// write processes samples. The pre-emphasis is y[t] = x[t] − 0.97·x[t−1]. Noise of a third of the last bit keeps digital
// silence from having an infinitely low level.
func (f *frontEnd) write(samples []int16) {
	for _, s := range samples {
		x := float64(s)/32768 + float64((float64(f.noise.Uint64()>>11)/(1<<53)-0.5)*3e-5)
		f.pending = append(f.pending, x-float64(0.97*f.last))
		f.last = x
	}
	f.samples += len(samples)
	done := 0
	for ; done+frameSize <= len(f.pending); done += frameStep {
		f.emit(f.pending[done : done+frameSize])
	}
	f.pending = f.pending[:copy(f.pending, f.pending[done:])]
}

// flush completes the last frame with silence.
func (f *frontEnd) flush() {
	f.last = 0
	for want := (f.samples + frameStep - 1) / frameStep; f.out.n < want; {
		f.pending = append(f.pending, make([]float64, frameSize)...)
		f.emit(f.pending[:frameSize])
		f.pending = f.pending[frameStep:]
	}
}

// emit computes one frame.
func (f *frontEnd) emit(x []float64) {
	for i, w := range f.window {
		f.frame[i] = float64(w * x[i])
	}
	f.fft.Power(f.power, f.frame)
	const low, high = bandLow * fftSize / transcript.SampleRate, bandHigh * fftSize / transcript.SampleRate
	band := 1e-12
	for _, p := range f.power[low : high+1] {
		band += p
	}
	f.filters.Apply(f.energies, f.power)
	for i, e := range f.energies {
		f.energies[i] = dsp.Log(e + 1e-12)
	}
	f.dct.Apply(f.mfcc, f.energies)
	f.out.add(f.mfcc, float64(10/math.Ln10*dsp.Log(band))-fullScale)
}
