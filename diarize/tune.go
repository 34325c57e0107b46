package diarize

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	syllableReach = 3   // frames on either side: their mean follows syllables, but not the pulses of a voice …
	phraseReach   = 25  // … and this one neither; the difference of the two is the modulation from about 2 to 8 Hz
	tuneLag       = 10  // frames; sounds of music last longer than those of speech
	tuneMeans     = 7   // features that are means over windows …
	tuneBands     = 3   // … and those that describe how much the sounds of all windows differ
	mostSpread    = 0.8 // more is digital silence, which says nothing
)

// tuneWeights and tuneBias are a logistic regression, the log odds of music, on the features of tune. BenchmarkTuneWeights
// has trained them.
var (
	tuneWeights = [tuneMeans + tuneBands]float64{-3.651, -8.911, -7.740, 13.977, 1.689, -7.234, 9.015, 0.101, -0.223, 3.614}
	tuneBias    = 16.079
)

// tune has the features of windows that distinguish music from speech. Speech is modulated by syllables (Houtgast &
// Steeneken, JASA 77 (1985)), has many quiet frames (Saunders, ICASSP 1996), and changes its spectrum by fits and starts
// (Scheirer & Slaney, ICASSP 1997). A room hides all that, but not that the sounds of a voice have many different formants.
type tune struct {
	windows float64
	sums    [tuneMeans]float64

	frames      float64               // loud frames, whose coefficients have …
	sum, square [coefficients]float64 // … these sums and sums of squares
}

// features returns the means, and the logarithm of the variance of the coefficients in each band.
func (t *tune) features() (out [tuneMeans + tuneBands]float64) {
	for k, v := range t.sums {
		out[k] = v / max(t.windows, 1)
	}
	n := max(t.frames, 1)
	for k := 1; k < coefficients; k++ { // the first coefficient is the level
		out[tuneMeans+tuneBand(k)] += max(t.square[k]/n-float64(t.sum[k]/n*(t.sum[k]/n)), 0)
	}
	for k := tuneMeans; k < len(out); k++ {
		out[k] = dsp.Log(out[k] + 1e-3)
	}
	return out
}

// tuneBand returns the band of a coefficient: the broad shape of the spectrum, formants, or single partials.
func tuneBand(k int) int {
	switch {
	case k < 6:
		return 0
	case k < 12:
		return 1
	}
	return 2
}

// score returns the log odds that the windows have music.
func (t *tune) score() float64 {
	x := t.features()
	return dsp.Dot(tuneWeights[:], x[:]) + tuneBias
}

// add joins the windows of o.
func (t *tune) add(o *tune) {
	t.windows += o.windows
	for k, v := range o.sums {
		t.sums[k] += v
	}
	t.frames += o.frames
	for k := range o.sum {
		t.sum[k] += o.sum[k]
		t.square[k] += o.square[k]
	}
}

// observe adds a window. Energies are sums over coefficients, which equal those over mel bands.
func (t *tune) observe(f *frames, s span) {
	syllable, phrase := slidingMean{f: f, reach: syllableReach}, slidingMean{f: f, reach: phraseReach}
	var x, before, lagged, short, long [coefficients]float64
	f.cepstrum(before[:], max(s.lo-1, 0))
	var slow, slowest, all, flux, fluxSquare, same, most float64
	for i := s.lo; i < s.hi; i++ {
		syllable.at(short[:], i)
		phrase.at(long[:], i)
		f.cepstrum(x[:], i)
		t.frame(f, i, &x)
		f.cepstrum(lagged[:], max(i-tuneLag, 0))
		change, dot, now, then := 0.0, 0.0, 0.0, 0.0
		for k, v := range x {
			d, e, l, c := short[k]-long[k], v-long[k], lagged[k]-long[k], v-before[k]
			slow += float64(d * d)
			all += float64(e * e)
			change += float64(c * c)
			if k == 0 {
				slowest += float64(d * d)
				continue
			}
			dot += float64(e * l)
			now += float64(e * e)
			then += float64(l * l)
		}
		flux += math.Sqrt(change)
		fluxSquare += change
		same += dot
		most += math.Sqrt(now * then)
		before = x
	}
	n := float64(s.len())
	slow, slowest, all, flux, most = slow/n+1e-3, slowest/n+1e-3, all/n+1e-3, flux/n+1e-3, most/n+1e-3
	spread := math.Sqrt(max(fluxSquare/n-float64(flux*flux), 0))
	for k, v := range [tuneMeans]float64{
		dsp.Log(slow), dsp.Log(slow / all), dsp.Log(flux), min(spread/flux, mostSpread), same / n / most, quietShare(f, s), dsp.Log(slowest / slow),
	} {
		t.sums[k] += v
	}
	t.windows++
}

// frame adds a frame, if it is loud.
func (t *tune) frame(f *frames, i int, x *[coefficients]float64) {
	if !f.core(i) {
		return
	}
	t.frames++
	for k, v := range x {
		t.sum[k] += v
		t.square[k] += float64(v * v)
	}
}

// quietShare returns the share of frames more than 6 dB below the mean power.
func quietShare(f *frames, s span) float64 {
	const decibel = 0.2302585092994046 // ln(10)/10
	power := 0.0
	for i := s.lo; i < s.hi; i++ {
		power += dsp.Exp(float64(f.level(i) * decibel))
	}
	mean := dsp.Log(power/float64(s.len())) / decibel
	n := 0
	for i := s.lo; i < s.hi; i++ {
		if f.level(i) < mean-6.0206 {
			n++
		}
	}
	return float64(n) / float64(s.len())
}

// slidingMean is the mean of the frames around one that moves forward.
type slidingMean struct {
	f     *frames
	reach int
	have  span
	sums  [coefficients]int
}

// at writes the mean of the coefficients around frame i to x.
func (m *slidingMean) at(x []float64, i int) {
	want := span{max(i-m.reach, 0), min(i+m.reach+1, m.f.n)}
	if m.have.hi == 0 {
		m.have = span{want.lo, want.lo}
	}
	for ; m.have.hi < want.hi; m.have.hi++ {
		for k, v := range m.f.mfcc(m.have.hi) {
			m.sums[k] += int(v)
		}
	}
	for ; m.have.lo < want.lo; m.have.lo++ {
		for k, v := range m.f.mfcc(m.have.lo) {
			m.sums[k] -= int(v)
		}
	}
	for k, v := range m.sums {
		x[k] = float64(v) * steps[k] / float64(want.len())
	}
}
