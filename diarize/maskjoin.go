package diarize

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
)

const (
	maskSeparation   = 2.2  // a voice, and a voice to which the background of that one is added, are less apart if they are the same …
	maskShare        = 0.75 // … and so much less than without it
	musicSeparation  = 3.0  // … over music, which changes, they may be more apart, …
	maskedFrames     = 1000 // … and if one has between this many frames and heardFrames, or enoughFrames over music, …
	littleSeparation = 1.0  // … they must be less apart than this
	alikeSeparation  = 1.8  // voices in front of similar backgrounds that are less apart are one, of several blocks; others aren't
	onlySeparation   = 4.5  // of several blocks, a voice with an added background may be that far from the other one …
	onlyShare        = 0.85 // … and so much less than without it …
	onlyMore         = 1.5  // … if all others are further from both, this many times …
	onlyVoices       = 2    // … and there are that many in front of each background
)

// mask joins the voices that have several numbers, because they speak in front of different backgrounds: for example over music in one part of
// the recording. It adds the background of the louder one, from its pauses, to the frames of the other one, and compares the result with
// the louder one. Adding powers in mel bands is parallel model combination: Gales & Young, "Robust continuous speech recognition using
// parallel model combination", IEEE Trans. Speech and Audio Processing 4 (1996). It returns the new number of each voice.
//
// If any were joined in one block, voices that are too alike for two are, too. In several blocks, less is needed for joining: matching has kept
// what is only a little different, and a voice that says more can be told from others more surely.
func mask(ctx context.Context, f *frames, voices []masked, blocks bool) ([]int, error) {
	m, err := newMasks(ctx, f, voices)
	if err != nil {
		return nil, err
	}
	return m.join(blocks), nil
}

// join returns the new number of each voice.
func (m *masks) join(blocks bool) []int {
	type pair struct {
		i, j  int
		apart float64
	}
	var pairs []pair
	for i := range m.voices {
		for j := range m.voices {
			if s := m.same(i, j, blocks); s < math.Inf(1) {
				pairs = append(pairs, pair{i, j, s})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.apart, b.apart) })
	labels := make([]int, len(m.voices))
	for i := range labels {
		labels[i] = i
	}
	joined := false
	for _, p := range pairs {
		if a, b := labels[p.i], labels[p.j]; a != b && m.fit(labels, a, b) {
			relabel(labels, a, b)
			joined = true
		}
	}
	if joined && !blocks {
		m.joinAlike(labels)
	}
	return renumber(labels)
}

// masks has how far voices are apart, as it would be in wideband speech.
type masks struct {
	voices []masked
	apart  [][]float64 // apart[i][j] of voices i and j
	with   [][]float64 // with[i][j] of voice i, with the background of voice j, and voice j; +∞ if that background isn't louder
	frames [][]float64 // frames of voice i for that
}

func newMasks(ctx context.Context, f *frames, voices []masked) (*masks, error) {
	m := &masks{voices: voices}
	add := masker{f, dsp.NewDCT(melFilters, coefficients)}
	for i := range voices {
		apart, with, frames := make([]float64, len(voices)), make([]float64, len(voices)), make([]float64, len(voices))
		for j := range voices {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			apart[j], with[j] = scaledSeparation(&voices[i].all, &voices[j].all), math.Inf(1)
			if voices[j].background > voices[i].background+louderBackground && len(voices[j].pauses) >= maskLeast {
				loud := add.add(&voices[i], &voices[j])
				with[j], frames[j] = scaledSeparation(loud, &voices[j].all), loud.n
			}
		}
		m.apart, m.with, m.frames = append(m.apart, apart), append(m.with, with), append(m.frames, frames)
	}
	return m, nil
}

// scaledSeparation is the separation of two groups, as it would be in wideband speech: others may be in another channel.
func scaledSeparation(a, b *moment) float64 {
	var both moment
	both.add(a)
	both.add(b)
	return channelScale(&both) * separation(a, b)
}

// same returns how far two voices are apart if they are one, and +∞ otherwise. The second one's background must not be quieter.
func (m *masks) same(i, j int, blocks bool) float64 {
	a, b, out := &m.voices[i], &m.voices[j], math.Inf(1)
	if now, n := m.with[i][j], min(m.frames[i][j], b.all.n); now < out {
		if sameVoice(now, m.apart[i][j], n, b.music) || blocks && n >= enoughFrames && (now < maskSeparation || m.only(i, j)) {
			out = now
		}
	}
	if blocks && i != j && a.background <= b.background && min(a.all.n, b.all.n) >= maskedFrames && m.apart[i][j] < alikeSeparation {
		out = min(out, m.apart[i][j])
	}
	return out
}

// only says whether two voices in front of different backgrounds are the only ones that could be the same, of several in front of each.
func (m *masks) only(i, j int) bool {
	now := m.with[i][j]
	if now >= onlySeparation || now > onlyShare*m.apart[i][j] {
		return false
	}
	before, behind := 0, 0
	for k := range m.voices {
		if m.voices[k].all.n < enoughFrames {
			continue
		}
		if s := m.with[i][k]; k != j && s < math.Inf(1) {
			if before++; s < onlyMore*now {
				return false
			}
		}
		if s := m.with[k][j]; k != i && s < math.Inf(1) {
			if behind++; s < onlyMore*now {
				return false
			}
		}
	}
	return min(before, behind) >= onlyVoices
}

// fit says whether two groups of voices could be one voice: those in front of similar backgrounds must be alike.
func (m *masks) fit(labels []int, a, b int) bool {
	for i, v := range m.voices {
		for j, w := range m.voices {
			similar := v.music == w.music && math.Abs(v.background-w.background) <= louderBackground
			if similar && labels[i] == a && labels[j] == b && m.apart[i][j] >= alikeSeparation {
				return false
			}
		}
	}
	return true
}

// joinAlike joins voices that are too alike for two. It is for recordings with a voice that had several numbers because of its backgrounds: as
// different as those are, even parts of a voice in front of one background may have counted as voices.
func (m *masks) joinAlike(labels []int) {
	for i := range labels {
		for j := range i {
			if labels[i] != labels[j] && m.apart[i][j] < heardSeparation {
				relabel(labels, labels[j], labels[i])
			}
		}
	}
}

// relabel gives the groups b the label a.
func relabel(labels []int, a, b int) {
	for k, l := range labels {
		if l == b {
			labels[k] = a
		}
	}
}

// sameVoice says whether two groups, the smaller one with n frames, are one voice: their separation is before, and now with the same background.
// Music as a background explains less, since it changes.
func sameVoice(now, before, n float64, music bool) bool {
	switch {
	case n < maskedFrames || now >= maskShare*before:
		return false
	case n < enoughFrames || n < heardFrames && !music:
		return now < littleSeparation
	case music:
		return now < musicSeparation
	}
	return now < maskSeparation
}
