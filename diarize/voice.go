package diarize

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	// LeastVoice is the least speech of which a Voice is made.
	LeastVoice = 8 * time.Second
	// SameVoice is the largest Distance at which two voices are likely the same: see Voice.Distance.
	SameVoice = 3.3

	voiceDim     = coefficients - 1 // without the first, which is the level
	voiceSquares = voiceDim * (voiceDim + 1) / 2
	voiceVersion = 1 // of the binary form
)

// Voice is a print of a voice, to find it again in other recordings: the mean and the covariance of its mel-frequency cepstral
// coefficients. No speech can be restored from it, but it is biometric data: keep it only with the person's consent. The zero Voice is
// that of somebody who spoke too little.
type Voice struct {
	spoken     float32 // seconds
	mean       [voiceDim]float32
	covariance [voiceSquares]float32 // lower triangle, row by row
}

// Voices returns the print of each speaker of turns, by its number; the zero Voice for less than LeastVoice of speech. Where somebody has a
// Second turn, nobody's print is made. pcm is the audio of
// the turns: 16 kHz mono signed 16-bit little-endian. Errors: those of the reader and of ctx; CodeInvalid (a turn ends before it starts, or
// has an impossible speaker).
func Voices(ctx context.Context, pcm io.Reader, turns []transcript.Turn) ([]Voice, error) {
	speakers := 0
	for _, t := range turns {
		if t.Start < 0 || t.End < t.Start || t.Speaker < 0 || t.Speaker >= noSpeaker {
			return nil, fault.Errorf(fault.CodeInvalid, "Voices", "A turn from %v to %v of speaker %d is impossible.", t.Start, t.End, t.Speaker)
		}
		speakers = max(speakers, t.Speaker+1)
	}
	f, err := readFrames(ctx, pcm, nil, func(int) {})
	if err != nil {
		return nil, err
	}
	for _, b := range splitBlocks(f.n) {
		if err := markSpeech(ctx, f, b); err != nil {
			return nil, err
		}
	}
	for _, t := range turns {
		for i := int(t.Start / frameTime); t.Second && i < min(int(t.End/frameTime), f.n); i++ {
			*f.flags(i) &^= isCore
		}
	}
	moments := make([]moment, speakers)
	for _, t := range turns {
		moments[t.Speaker].observe(f, span{min(int(t.Start/frameTime), f.n), min(int(t.End/frameTime), f.n)})
	}
	voices := make([]Voice, speakers)
	for i := range moments {
		if m := &moments[i]; time.Duration(m.n)*frameTime >= LeastVoice {
			voices[i] = m.voice()
		}
	}
	return voices, nil
}

// voice returns the print of the frames.
func (m *moment) voice() Voice {
	v := Voice{spoken: float32(m.n / 100)}
	k := 0
	for r := range voiceDim {
		v.mean[r] = float32(m.sum[r+1] / m.n)
		for c := range r + 1 {
			v.covariance[k] = float32(m.square[(r+1)*(r+2)/2+c+1]/m.n - float64(m.sum[r+1]/m.n*(m.sum[c+1]/m.n)))
			k++
		}
	}
	return v
}

// Spoken returns how much speech the print is made of; 0 for the zero Voice.
func (v Voice) Spoken() time.Duration { return time.Duration(float64(v.spoken) * float64(time.Second)) }

// Distance returns how unlike two voices are: 0 for the same print, about 0.5, and rarely more than 2, for one voice in two recordings of one kind, and mostly
// 4 to 15 for two voices, or for one voice in another room or over the telephone. It is +Inf if one is the zero Voice. It is four times the
// gain in log likelihood, per frame, of two Gaussians over one.
func (v Voice) Distance(o Voice) float64 {
	if v.spoken <= 0 || o.spoken <= 0 {
		return math.Inf(1)
	}
	var both [voiceSquares]float64
	k := 0
	for r := range voiceDim {
		for c := range r + 1 {
			gap := float64(v.mean[r]-o.mean[r]) * float64(v.mean[c]-o.mean[c])
			both[k] = float64(v.covariance[k]+o.covariance[k])/2 + float64(gap/4)
			k++
		}
	}
	return max(0, float64(2*logDet(both[:]))-logDet(wide(v.covariance[:]))-logDet(wide(o.covariance[:])))
}

func wide(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// logDet returns the log determinant of a covariance, a lower triangle.
func logDet(triangle []float64) float64 {
	var a [voiceDim * voiceDim]float64
	k := 0
	for r := range voiceDim {
		for c := range r + 1 {
			a[r*voiceDim+c] = triangle[k]
			k++
		}
		a[r*voiceDim+r] += 1e-3
	}
	return dsp.LogDet(a[:], voiceDim, 1e-6)
}

// Nearest returns the index of the voice nearest to v among known, if it is at most SameVoice away; -1 if none is, or if another one is
// about as near: the distance must be at most four fifths of the next one's.
func (v Voice) Nearest(known []Voice) (index int, distance float64) {
	index, distance = -1, math.Inf(1)
	second := math.Inf(1)
	for i, k := range known {
		if d := v.Distance(k); d < distance {
			index, distance, second = i, d, distance
		} else {
			second = min(second, d)
		}
	}
	if distance > SameVoice || distance > 0.8*second {
		return -1, distance
	}
	return index, distance
}

// AppendBinary implements encoding.BinaryAppender.
func (v Voice) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, voiceVersion)
	for _, x := range slices.Concat([]float32{v.spoken}, v.mean[:], v.covariance[:]) {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b, nil
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (v Voice) MarshalBinary() ([]byte, error) { return v.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler. It returns CodeInvalid for what is no Voice.
func (v *Voice) UnmarshalBinary(b []byte) error {
	const op = "Voice"
	if len(b) != 1+4*(1+voiceDim+voiceSquares) || b[0] != voiceVersion {
		return fault.Errorf(fault.CodeInvalid, op, "These %d bytes are no print of a voice.", len(b))
	}
	var numbers []float32
	for b = b[1:]; len(b) > 0; b = b[4:] {
		x := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if !(math.Abs(float64(x)) < 1e6) {
			return fault.Errorf(fault.CodeInvalid, op, "A print of a voice has an impossible number.")
		}
		numbers = append(numbers, x)
	}
	*v = Voice{spoken: numbers[0]}
	copy(v.mean[:], numbers[1:])
	copy(v.covariance[:], numbers[1+voiceDim:])
	return nil
}
