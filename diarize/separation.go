package diarize

import (
	"math"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const squares = coefficients * (coefficients + 1) / 2

// moment has the statistics of a set of frames for a Gaussian with full covariance. Adding two moments joins the sets.
type moment struct {
	n      float64
	sum    [coefficients]float64
	square [squares]float64 // lower triangle of Σ x·xᵀ, row by row
	logDet float64          // log determinant of the covariance; set by close

	windows   float64
	direction []float64 // sum of the windows' embeddings; nil without an Embedder
	lengths   float64   // sum of their squared lengths
}

// observe adds the frames of a window that are loud enough.
func (m *moment) observe(f *frames, s span) {
	var x [coefficients]float64
	for i := s.lo; i < s.hi; i++ {
		if !f.core(i) {
			continue
		}
		f.cepstrum(x[:], i)
		m.frame(&x)
	}
	m.windows++
}

// frame adds one frame.
func (m *moment) frame(x *[coefficients]float64) {
	m.n++
	k := 0
	for r, v := range x {
		m.sum[r] += v
		for _, w := range x[:r+1] {
			m.square[k] += float64(v * w)
			k++
		}
	}
}

// scale makes one frame as many as factor.
func (m *moment) scale(factor float64) {
	m.n *= factor
	for i := range m.sum {
		m.sum[i] *= factor
	}
	for i := range m.square {
		m.square[i] *= factor
	}
}

// add joins o to m.
func (m *moment) add(o *moment) {
	m.n += o.n
	for i, v := range o.sum {
		m.sum[i] += v
	}
	for i, v := range o.square {
		m.square[i] += v
	}
	m.windows += o.windows
	m.lengths += o.lengths
	if o.direction == nil {
		return
	}
	if m.direction == nil {
		m.direction = make([]float64, len(o.direction))
	}
	for i, v := range o.direction {
		m.direction[i] += v
	}
}

// diagonal returns the mean and the variance of each coefficient.
func (m *moment) diagonal() (mean, variance []float64) {
	mean, variance = make([]float64, coefficients), make([]float64, coefficients)
	for k := range mean {
		mean[k] = m.sum[k] / m.n
		variance[k] = max(m.square[k*(k+1)/2+k]/m.n-float64(mean[k]*mean[k]), 0.05)
	}
	return mean, variance
}

// covariance returns the lower triangle of the covariance, row by row.
func (m *moment) covariance() (a [coefficients * coefficients]float64) {
	k := 0
	for r := range coefficients {
		for c := range r + 1 {
			a[r*coefficients+c] = m.square[k]/m.n - float64(m.sum[r]/m.n*(m.sum[c]/m.n))
			k++
		}
	}
	return a
}

// close computes the log determinant of the covariance. Call it after the last frame.
func (m *moment) close() {
	a := m.covariance()
	for r := range coefficients {
		a[r*coefficients+r] += 1e-3 // about the variance that quantisation adds
	}
	m.logDet = dsp.LogDet(a[:], coefficients, 1e-6)
}

const (
	parameterPrice = 1.5  // penalty for a parameter, times that of the Bayesian information criterion
	enoughFrames   = 2000 // frames in overlapping windows, 10 s of speech; fewer have had no time to say everything …
	fewPenalty     = 1.5  // … so that their separation is reduced by this, times ln(enoughFrames/n)
)

// separation returns how much better two Gaussians describe the frames of a and b than one, per frame. Parts of one voice
// give less than about 2, two voices 2 (in rooms) to 10. Both must be closed.
//
// It is the difference of the Bayesian information criterion, ½(n·ln|Σ| − nₐ·ln|Σₐ| − n_b·ln|Σ_b|) − ½·λ·P·ln n with P = d +
// d(d+1)/2 parameters, divided by nₐ·n_b/n so that it doesn't grow with the recording. See Chen & Gopalakrishnan, "Speaker,
// environment and channel change detection and clustering via the BIC", DARPA Broadcast News workshop 1998. Two corrections
// make up for what the criterion assumes, independent frames: λ is more than 1, and the seconds in which a voice happens
// to sound most unlike itself count less.
func separation(a, b *moment) float64 {
	if a.direction != nil && b.direction != nil {
		return embeddedSeparation(a, b)
	}
	both := moment{n: a.n, sum: a.sum, square: a.square}
	both.add(b)
	both.close()
	gain := float64(both.n*both.logDet) - float64(a.n*a.logDet) - float64(b.n*b.logDet)
	few := max(0, dsp.Log(enoughFrames/max(min(a.n, b.n), 1)))
	return gain/2/(a.n*b.n/both.n) - price(a.n, b.n) - float64(fewPenalty*few)
}

// price is what the parameters of two Gaussians cost the separation of groups with a and b frames.
func price(a, b float64) float64 {
	return parameterPrice * (coefficients + squares) * dsp.Log(a+b) / 2 / (a * b / (a + b))
}

// embeddedScale makes the separation of embeddings comparable with that of Gaussians. Parts of one voice give less than about 1.5, and
// two voices 2 to 5: their dot products are about 0.8 and 0.2, where that of neighbouring windows is 1.
const embeddedScale = 5

// embeddedSeparation is separation for embeddings: the mean dot product within the groups minus that between them.
func embeddedSeparation(a, b *moment) float64 {
	within := func(m *moment) float64 {
		pairs := m.windows * (m.windows - 1)
		return (dsp.Dot(m.direction, m.direction) - m.lengths) / max(pairs, 1)
	}
	between := dsp.Dot(a.direction, b.direction) / (a.windows * b.windows)
	return embeddedScale * ((within(a)+within(b))/2 - between)
}

// closestGroups returns the smallest separation between any two of the closed groups, and their indices.
func closestGroups(groups []*moment) (least float64, a, b int) {
	least = math.Inf(1)
	for i := range groups {
		for j := range i {
			if s := separation(groups[i], groups[j]); s < least {
				least, a, b = s, j, i
			}
		}
	}
	return least, a, b
}
