package diarize_test

import (
	"bytes"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// meeting says how the beginning of a meeting or call is drawn from the voices of a corpus: turns of 0.7 to 5 s, which may overlap.
type meeting struct {
	name         string
	fewest, most int     // voices
	length       float64 // seconds
	overlap      float64 // probability that a turn begins 0.2 to 1.2 s before the previous one ends
	far          bool    // far from the microphone: each voice with its own echoes, noise 15 dB below
	jingle       bool    // synthetic music of 2 to 5 s at the start
	phone        bool    // a call
}

var meetings = []meeting{
	{name: "15s", fewest: 2, most: 3, length: 15, overlap: 0.1},
	{name: "30s", fewest: 3, most: 4, length: 30, overlap: 0.15},
	{name: "45s", fewest: 3, most: 4, length: 45, overlap: 0.15},
	{name: "30s_jingle", fewest: 2, most: 4, length: 30, overlap: 0.05, jingle: true},
	{name: "30s_far", fewest: 3, most: 4, length: 30, overlap: 0.15, far: true},
	{name: "45s_far", fewest: 3, most: 4, length: 45, overlap: 0.15, far: true},
	{name: "120s", fewest: 3, most: 4, length: 120, overlap: 0.15},
	{name: "120s_far", fewest: 3, most: 4, length: 120, overlap: 0.15, far: true},
	{name: "60s_phone", fewest: 2, most: 2, length: 60, overlap: 0.15, phone: true},
	{name: "120s_phone", fewest: 2, most: 4, length: 120, overlap: 0.15, phone: true},
	{name: "single_15s", fewest: 1, most: 1, length: 15},
	{name: "single_30s", fewest: 1, most: 1, length: 30},
	{name: "single_45s", fewest: 1, most: 1, length: 45},
	{name: "single_30s_jingle", fewest: 1, most: 1, length: 30, jingle: true},
	{name: "single_15s_far", fewest: 1, most: 1, length: 15, far: true},
	{name: "single_30s_far", fewest: 1, most: 1, length: 30, far: true},
	{name: "single_45s_far", fewest: 1, most: 1, length: 45, far: true},
	{name: "single_60s_phone", fewest: 1, most: 1, length: 60, phone: true},
}

// BenchmarkMeetings scores beginnings of meetings between voices of the corpus of BenchmarkCorpus. DRAWN is how many of each kind, by default
// 20. Run with -benchtime 1x.
func BenchmarkMeetings(b *testing.B) {
	n, said := drawn(b), onceSaid(b)
	if len(said) < 10 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech of ten voices")
	}
	for _, m := range meetings {
		b.Run(m.name, func(b *testing.B) {
			for b.Loop() {
				var score der.Score
				var words der.WordScore
				right := 0
				for seed := range n {
					samples, ref, voices := m.draw(said, uint64(seed))
					turns, err := diarize.Run(context.Background(), bytes.NewReader(pcm(samples)), diarize.Config{})
					require.NoError(b, err)
					score = score.Add(der.DER(ref, der.FromTurns(turns), der.Options{}))
					words = words.Add(wordScore(ref, turns))
					if turns.Speakers() == voices {
						right++
					}
				}
				b.ReportMetric(100*score.DER(), "DER%")
				b.ReportMetric(100*words.WDER(), "WDER%")
				b.ReportMetric(float64(right), "counts-right")
			}
		})
	}
}

// draw mixes the beginning of a meeting.
func (m meeting) draw(said map[string][][]float64, seed uint64) (samples []int16, ref []der.Segment, voices int) {
	rng := rand.New(rand.NewPCG(seed, 77))
	tracks, ref := m.tracks(said, seed, rng)
	audio := make([]float64, len(tracks[0]))
	for _, x := range tracks {
		if m.far {
			x = reverberate(x, 0.6, rng)
		}
		for i, v := range x {
			audio[i] += v
		}
	}
	if m.far {
		addScaled(audio, pink(len(audio), rng), rms(audio)*math.Pow(10, -15.0/20))
	}
	if m.phone {
		audio = call(audio)
	}
	if m.jingle {
		jingle := scaled(music(2*rate+rng.IntN(3*rate), rng), 0.05)
		audio = append(jingle, audio...)
		for i := range ref {
			ref[i].Start += time.Duration(len(jingle)) * time.Second / rate
			ref[i].End += time.Duration(len(jingle)) * time.Second / rate
		}
	}
	return quantise(audio), ref, len(tracks)
}

// tracks returns what each voice says in a meeting, in which some talk more than others.
func (m meeting) tracks(said map[string][][]float64, seed uint64, rng *rand.Rand) (tracks [][]float64, ref []der.Segment) {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(said)), func(name string) bool {
		return seconds(said[name]) < min(1.2*m.length/float64(m.fewest), 25)
	})
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	voices := m.fewest + int(seed)%(m.most-m.fewest+1)
	n := int(m.length * rate)
	type part struct {
		name   string
		pieces [][]float64 // not yet said
		gain   float64
		share  float64 // of the turns
		said   []float64
	}
	parts := make([]part, voices)
	for i, name := range names[:voices] {
		pieces := slices.Clone(said[name])
		rng.Shuffle(len(pieces), func(a, b int) { pieces[a], pieces[b] = pieces[b], pieces[a] })
		level := 0.0
		for _, x := range pieces {
			level += rms(x) / float64(len(pieces))
		}
		parts[i] = part{name, pieces, 0.05 / level * math.Pow(10, 6*(rng.Float64()-0.5)/20), 0.4 + rng.Float64(), make([]float64, n)}
	}
	next := func(last int) int {
		total := 0.0
		for i, p := range parts {
			if (i != last || voices == 1) && len(p.pieces) > 0 {
				total += p.share
			}
		}
		left := total * rng.Float64()
		for i, p := range parts {
			if (i != last || voices == 1) && len(p.pieces) > 0 {
				if left -= p.share; left <= 0 {
					return i
				}
			}
		}
		return -1
	}
	last, heard, at := -1, 0, rate/3
	for at < n {
		who := next(last)
		if who < 0 {
			break
		}
		if last >= 0 && rng.Float64() < m.overlap {
			at = max(heard, at-int(rate*(0.2+rng.Float64())))
		} else {
			at += int(rate * 0.5 * rng.Float64())
		}
		last, heard = who, max(heard, at) // at most two voices overlap
		p := &parts[who]
		for left := int(rate * 0.7 * math.Pow(5/0.7, rng.Float64())); left > 0 && at < n && len(p.pieces) > 0; {
			x := p.pieces[0]
			if len(x) > left+rate/2 {
				cut := quietest(x, left)
				x, p.pieces[0] = x[:cut], x[cut:]
			} else {
				p.pieces = p.pieces[1:]
			}
			x = x[:min(len(x), n-at)]
			for i, v := range x {
				p.said[at+i] += p.gain * v
			}
			if len(x) > rate/10 {
				ref = append(ref, loud(x, at, p.name)...)
			}
			at += len(x)
			if left -= len(x); left > 0 {
				at += int(rate * 0.2 * rng.Float64())
			}
		}
	}
	for _, p := range parts {
		tracks = append(tracks, p.said)
	}
	return tracks, ref
}

// quietest returns the start of the quietest 20 ms of x within 0.25 s of at, but after the first 0.25 s.
func quietest(x []float64, at int) int {
	best, least := at, math.Inf(1)
	for i := max(rate/4, at-rate/4); i+rate/50 < min(len(x), at+rate/4); i += rate / 100 {
		if level := rms(x[i : i+rate/50]); level < least {
			best, least = i, level
		}
	}
	return best
}
