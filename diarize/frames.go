package diarize

import "math"

const (
	coefficients = 20
	chunkFrames  = 6000 // 1 min
	levelFloor   = 120  // −120 dB is stored as 0; a unit is 0.5 dB
)

// steps are the units of the stored coefficients. A byte covers ±127 units, several standard deviations of speech; the
// rounding error is far below the difference of two frames of the same sound.
var steps = [coefficients]float64{0.8, 0.25, 0.15, 0.15, 0.12, 0.12, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08, 0.08}

// Properties of a frame, as bits of chunk.flags.
const (
	isSpeech = 1 << iota
	isCore   // speech that is loud enough to identify a voice
	isBed    // music is under the speech, if there is speech
)

// noSpeaker is the speaker of a frame without speaker.
const noSpeaker = 0xff

// frames are the features of a recording: 23 bytes per 10 ms, 8.3 MB per hour. They are stored in chunks so that growing
// never copies them.
type frames struct {
	n      int
	first  int // voices of the first channel, if others are those of the second; 0 if the speakers aren't apart in two channels
	chunks []*chunk
}

type chunk struct {
	mfcc  [chunkFrames][coefficients]int8
	level [chunkFrames]uint8
	flags [chunkFrames]uint8
	who   [chunkFrames]uint8
}

// add appends a frame: its coefficients and its level in dB.
func (f *frames) add(mfcc []float64, level float64) {
	if f.n%chunkFrames == 0 {
		f.chunks = append(f.chunks, new(chunk))
	}
	c, i := f.chunks[f.n/chunkFrames], f.n%chunkFrames
	for k, v := range mfcc {
		c.mfcc[i][k] = int8(min(max(math.Floor(v/steps[k]+0.5), -127), 127))
	}
	c.level[i] = uint8(min(max(math.Floor(float64((level+levelFloor)*2)+0.5), 0), 255))
	c.who[i] = noSpeaker
	f.n++
}

func (f *frames) mfcc(i int) *[coefficients]int8 { return &f.chunks[i/chunkFrames].mfcc[i%chunkFrames] }
func (f *frames) flags(i int) *uint8             { return &f.chunks[i/chunkFrames].flags[i%chunkFrames] }
func (f *frames) who(i int) *uint8               { return &f.chunks[i/chunkFrames].who[i%chunkFrames] }
func (f *frames) speech(i int) bool              { return *f.flags(i)&isSpeech != 0 }
func (f *frames) core(i int) bool                { return *f.flags(i)&isCore != 0 }
func (f *frames) bed(i int) bool                 { return *f.flags(i)&isBed != 0 }

// level returns the level of frame i in dB; bin returns it as stored.
func (f *frames) level(i int) float64 { return binLevel(f.bin(i)) }
func (f *frames) bin(i int) int       { return int(f.chunks[i/chunkFrames].level[i%chunkFrames]) }
func binLevel(bin int) float64        { return float64(bin)/2 - levelFloor }

// cepstrum writes the first len(x) coefficients of frame i to x.
func (f *frames) cepstrum(x []float64, i int) {
	c := f.mfcc(i)
	for k := range x {
		x[k] = float64(c[k]) * steps[k]
	}
}

// deltas writes the slopes of the first len(x) coefficients around frame i, within the span, to x: (2·(c[i+2] − c[i−2]) +
// c[i+1] − c[i−1]) / 10. Furui, "Speaker-independent isolated word recognition using dynamic features of speech spectrum",
// IEEE Trans. ASSP 34 (1986).
func (f *frames) deltas(x []float64, i int, within span) {
	a, b := f.mfcc(max(i-2, within.lo)), f.mfcc(max(i-1, within.lo))
	c, d := f.mfcc(min(i+1, within.hi-1)), f.mfcc(min(i+2, within.hi-1))
	for k := range x {
		x[k] = float64(2*(int(d[k])-int(a[k]))+int(c[k])-int(b[k])) * steps[k] / 10
	}
}

// runs returns the runs of speech in a span.
func (f *frames) runs(within span) []span {
	var out []span
	for i := within.lo; i < within.hi; i++ {
		if !f.speech(i) {
			continue
		}
		lo := i
		for i < within.hi && f.speech(i) {
			i++
		}
		out = append(out, span{lo, i})
	}
	return out
}
