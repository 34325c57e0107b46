package diarize

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	syllableReach = 3  // frames on either side: their mean follows syllables, but not the pulses of a voice …
	phraseReach   = 25 // … and this one neither; the difference of the two is the modulation from about 2 to 8 Hz
	tuneLag       = 10 // frames; sounds of music last longer than those of speech
	tuneFeatures  = 7
	mostSpread    = 0.8 // more is digital silence, which says nothing
	clearTune     = 2.5 // a group whose score is higher is music …
	likelyTune    = 0.0 // … and so is one above this …
	tuneContrast  = 3.0 // … if its score exceeds that of the group most like speech by this
)

// tuneWeights and tuneBias are a logistic regression, the log odds of music, on the features of tune. BenchmarkTuneWeights
// has trained them.
var (
	tuneWeights = [tuneFeatures]float64{-1.326, -13.507, -11.910, 17.187, 4.751, -9.936, 3.243}
	tuneBias    = 13.495
)

// tune has the features of windows that distinguish music from speech. Speech is modulated by syllables (Houtgast &
// Steeneken, JASA 77 (1985)), has many quiet frames (Saunders, ICASSP 1996), and changes its spectrum by fits and starts
// (Scheirer & Slaney, ICASSP 1997).
type tune struct {
	windows float64
	sums    [tuneFeatures]float64
}

// score returns the log odds that the windows have music.
func (t *tune) score() float64 {
	return float64(dsp.Dot(tuneWeights[:], t.sums[:])/max(t.windows, 1)) + tuneBias
}

// add joins the windows of o.
func (t *tune) add(o *tune) {
	t.windows += o.windows
	for k, v := range o.sums {
		t.sums[k] += v
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
	for k, v := range [tuneFeatures]float64{
		dsp.Log(slow), dsp.Log(slow / all), dsp.Log(flux), min(spread/flux, mostSpread), same / n / most, quietShare(f, s), dsp.Log(slowest / slow),
	} {
		t.sums[k] += v
	}
	t.windows++
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

// musicGroups says which of the k groups of windows are music, from their tunes.
func musicGroups(labels []int, tunes []tune, k int) []bool {
	groups := make([]tune, k)
	for i, l := range labels {
		groups[l].add(&tunes[i])
	}
	least := math.Inf(1)
	for i := range groups {
		least = min(least, groups[i].score())
	}
	music := make([]bool, k)
	for i := range groups {
		music[i] = groups[i].score() > min(max(likelyTune, least+tuneContrast), clearTune)
	}
	return music
}
