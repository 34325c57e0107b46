package diarize

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// marked returns frames in which each digit is speech of that speaker.
func marked(speakers string) *frames {
	f := &frames{}
	for i, c := range speakers {
		f.add(make([]float64, coefficients), -30)
		if c != '.' {
			*f.flags(i) |= isSpeech | isCore
			*f.who(i) = uint8(c - '0')
		}
	}
	return f
}

func (f *frames) marks() string {
	out := make([]byte, f.n)
	for i := range out {
		if out[i] = '.'; f.speech(i) {
			out[i] = '0' + *f.who(i)
		}
	}
	return string(out)
}

// New frames of a run get the nearest speaker; a run without speech stays silent.
func TestExtendNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before string
		run    span
		after  string
	}{
		{"...0....1..", span{1, 10}, ".000001111."},
		{"..00..", span{0, 6}, "000000"},
		{"..00..", span{2, 4}, "..00.."},
		{"......", span{1, 5}, "......"},
		{"0....1", span{2, 4}, "0....1"},
	} {
		f := marked(c.before)
		f.extend(c.run)
		require.Equal(t, c.after, f.marks(), c.before)
	}
}

// A short pause is speech if the same speaker goes on. Between two speakers, only gaps of a few frames are; at either end, nothing is.
func TestFillPauses(t *testing.T) {
	t.Parallel()
	pause := strings.Repeat(".", fillSilence-1)
	for _, c := range []struct{ before, after string }{
		{"..0" + pause + "00..", "..0" + strings.ReplaceAll(pause, ".", "x") + "00.."},
		{"0." + pause + "0", "0." + pause + "0"},
		{"0" + pause + "1", "0" + pause + "1"},
		{"0....11.....0", "0xxxx11.....0"},
		{"0....1" + pause + "1", "0xxxx1" + strings.ReplaceAll(pause, ".", "x") + "1"},
	} {
		f := marked(c.before)
		speech := make([]bool, f.n)
		for i := range speech {
			speech[i] = f.speech(i)
		}
		fillPauses(f, span{0, f.n}, speech)
		after := []byte(f.marks())
		for i, s := range speech {
			if s && !f.speech(i) {
				after[i] = 'x'
			}
		}
		require.Equal(t, c.after, string(after), c.before)
	}
}

// Somebody who would have no speech left keeps all of it; others lose what isn't speech.
func TestKeepSpeakers(t *testing.T) {
	t.Parallel()
	f := marked("..0000.11.222..3")
	speech := make([]bool, f.n)
	speech[3] = true
	keepSpeakers(f, span{0, f.n}, speech, 2)
	require.Equal(t, []bool{false, false, false, true, false, false, false, true, true, false, false, false, false, false, false, false}, speech)
}

// Far below the loudest frames, only what was speech before stays; over music, everything stays as it was.
func TestDropQuiet(t *testing.T) {
	t.Parallel()
	f := &frames{}
	for i, level := range []float64{-20, -75, -75, -50, -75, -30} {
		f.add(make([]float64, coefficients), level)
		if i == 2 {
			*f.flags(i) |= isSpeech
		}
		if i == 5 {
			*f.flags(i) |= isBed
		}
	}
	speech := []bool{true, true, true, true, false, true}
	dropQuiet(f, span{0, f.n}, speech)
	require.Equal(t, []bool{true, false, true, true, false, false}, speech)
}
