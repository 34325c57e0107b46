package onnx

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	frameStep = transcript.SampleRate / 100
	frameSize = transcript.SampleRate * 25 / 1000
	fftSize   = 512
	melBands  = 80
	melLow    = 20 // Hz
	emphasis  = 0.97
	leastMel  = 1.1920928955078125e-7 // float32's epsilon, as in Kaldi
)

// fbank computes what models of voices are trained on: the log energies of 80 mel bands in frames of 25 ms every 10 ms, as Kaldi's
// compute-fbank-feats does without dither, minus their mean over the window. It is not safe for concurrent use.
type fbank struct {
	fft           *dsp.FFT
	window, frame []float64
	power         []float64
	bands         [][]band // of each mel band
}

// band is the weight of one line of the spectrum in a mel band.
type band struct {
	line   int
	weight float64
}

func newFbank() *fbank {
	b := &fbank{
		fft: dsp.NewFFT(fftSize), window: dsp.Hamming(frameSize), frame: make([]float64, frameSize),
		power: make([]float64, fftSize/2+1), bands: make([][]band, melBands),
	}
	mel := func(hertz float64) float64 { return 1127 * math.Log(1+hertz/700) }
	low, high := mel(melLow), mel(transcript.SampleRate/2)
	width := (high - low) / (melBands + 1)
	for line := range fftSize / 2 { // Kaldi leaves the last line out
		at := mel(float64(line) * transcript.SampleRate / fftSize)
		for k := range b.bands {
			left, right := (at-low)/width-float64(k), float64(k+2)-(at-low)/width
			if w := min(left, right); w > 0 {
				b.bands[k] = append(b.bands[k], band{line, w})
			}
		}
	}
	return b
}

// framesOf returns the number of whole frames of n samples.
func framesOf(n int) int {
	if n < frameSize {
		return 0
	}
	return 1 + (n-frameSize)/frameStep
}

// add appends the features of a window, frame by frame.
func (b *fbank) add(out []float32, samples []int16) []float32 {
	start, n := len(out), framesOf(len(samples))
	var mean [melBands]float64
	for f := range n {
		b.load(samples[f*frameStep:][:frameSize])
		b.fft.Power(b.power, b.frame)
		for k, lines := range b.bands {
			energy := 0.0
			for _, l := range lines {
				energy += l.weight * b.power[l.line]
			}
			e := math.Log(max(energy, leastMel))
			mean[k] += e / float64(n)
			out = append(out, float32(e))
		}
	}
	for i := range out[start:] {
		out[start+i] -= float32(mean[i%melBands])
	}
	return out
}

// load fills the frame: samples without their mean, pre-emphasised, times the window.
func (b *fbank) load(samples []int16) {
	mean := 0.0
	for _, s := range samples {
		mean += float64(s) / frameSize
	}
	before := float64(samples[0]) - mean
	for i, s := range samples {
		x := float64(s) - mean
		b.frame[i] = (x - emphasis*before) * b.window[i]
		before = x
	}
}
