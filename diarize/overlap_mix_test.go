package diarize_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// sources are the recordings of a corpus from whose voices overlapping conversations are mixed. No voice is in two groups.
var sources = [][]string{
	{"2spk_clean_01", "2spk_clean_23", "3spk_clean_024"},
	{"quick_lq0_2", "quick_lq2_3", "jingle_lc5_3"},
}

// utterance is uninterrupted speech of one voice.
type utterance struct {
	samples  []float64
	segments []der.Segment // from the start of samples
}

// utterances cuts the speech of each voice out of a recording, where no other one speaks: at most 6 s each.
func utterances(f labelled) map[string][]utterance {
	const pause, margin, most = 600 * time.Millisecond, 60 * time.Millisecond, 6 * time.Second
	ref := slices.Clone(f.ref)
	slices.SortFunc(ref, func(a, b der.Segment) int { return cmp.Compare(a.Start, b.Start) })
	out := map[string][]utterance{}
	for i := 0; i < len(ref); {
		j, end := i+1, ref[i].End
		for j < len(ref) && ref[j].Speaker == ref[i].Speaker && ref[j].Start-end < pause && ref[j].End-ref[i].Start < most {
			end = ref[j].End
			j++
		}
		from, to := max(0, ref[i].Start-margin), end+margin
		at := func(d time.Duration) int { return min(int(d*rate/time.Second), len(f.audio)/2) }
		u := utterance{samples: make([]float64, at(to)-at(from))}
		for k := range u.samples {
			n := 2 * (at(from) + k)
			edge := min(1, float64(min(k, len(u.samples)-1-k))/(rate*margin.Seconds()/2))
			u.samples[k] = edge * float64(int16(uint16(f.audio[n])|uint16(f.audio[n+1])<<8)) / 32768
		}
		for _, s := range ref[i:j] {
			u.segments = append(u.segments, der.Segment{Speaker: s.Speaker, Start: s.Start - from, End: s.End - from})
		}
		alone := !slices.ContainsFunc(ref, func(s der.Segment) bool { return s.Speaker != ref[i].Speaker && s.Start < to && s.End > from })
		if alone && end-ref[i].Start > 300*time.Millisecond {
			out[ref[i].Speaker] = append(out[ref[i].Speaker], u)
		}
		i = j
	}
	return out
}

// mixture says how a conversation is mixed.
type mixture struct {
	voices  int
	overlap float64 // share of turns that start before the previous one ends
	phone   bool    // at 8 kHz
	room    float64 // reverberation time in seconds; 0 for none
	noise   float64 // signal-to-noise ratio in dB; 0 for none
}

// mix mixes a conversation of some of the voices. Voices alternate. An overlapping turn starts up to 2 s before the end of the previous
// one, or is a short one within it, and then the previous one's voice goes on. Levels of voices differ by up to 6 dB.
func (m mixture) mix(all map[string][]utterance, seed uint64) ([]int16, []der.Segment) {
	rng := rand.New(rand.NewPCG(seed, 17))
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	names = names[:m.voices]
	left, gains := map[string][]utterance{}, map[string]float64{}
	for _, name := range names {
		left[name] = slices.Clone(all[name])
		rng.Shuffle(len(left[name]), func(i, j int) { left[name][i], left[name][j] = left[name][j], left[name][i] })
		var level float64
		for _, u := range left[name] {
			level += rms(u.samples) / float64(len(left[name]))
		}
		gains[name] = 0.05 / level * math.Pow(10, (6*rng.Float64()-3)/20)
	}
	audio := make([]float64, rate/2)
	var ref []der.Segment
	add := func(name string, at int) int {
		u := left[name][0]
		left[name] = left[name][1:]
		for len(audio) < at+len(u.samples) {
			audio = append(audio, 0)
		}
		for i, v := range u.samples {
			audio[at+i] += gains[name] * v
		}
		offset := time.Duration(at) * time.Second / rate
		for _, s := range u.segments {
			ref = append(ref, der.Segment{Speaker: s.Speaker, Start: s.Start + offset, End: s.End + offset})
		}
		return at + len(u.samples)
	}
	last, begin, end := "", 0, len(audio)
	for {
		who := names[rng.IntN(len(names))]
		if who == last && len(names) > 1 && rng.IntN(3) > 0 {
			continue
		}
		if len(left[who]) == 0 {
			break
		}
		at := end + int(rate*(0.1+0.6*rng.Float64()))
		if last != "" && who != last && rng.Float64() < m.overlap {
			n := len(left[who][0].samples)
			if n < 3*rate/2 && n < (end-begin)*2/3 { // within the other's turn
				at = begin + int(float64(end-begin-n)*rng.Float64())
			} else {
				at = max(begin+rate/4, end-int(rate*(0.3+1.7*rng.Float64())))
			}
		}
		stop := add(who, at)
		if stop > end {
			last, begin, end = who, max(at, end), stop
		}
	}
	audio = append(audio, make([]float64, rate/2)...)
	if m.room > 0 {
		audio = reverberate(audio, m.room, rng)
	}
	if m.noise > 0 {
		addScaled(audio, pink(len(audio), rng), rms(audio)*math.Pow(10, -m.noise/20))
	}
	if m.phone {
		return telephone(quantise(audio)), ref
	}
	return quantise(audio), ref
}

func readSources(b *testing.B) []map[string][]utterance {
	out := make([]map[string][]utterance, len(sources))
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
		for g, group := range sources {
			if out[g] == nil {
				out[g] = map[string][]utterance{}
			}
			for _, name := range group {
				path := filepath.Join(dir, name+".flac")
				if found, err := filepath.Glob(path); err != nil || len(found) == 0 {
					continue
				}
				for who, us := range utterances(readLabelled(b, path, "")) {
					if len(us) > len(out[g][who]) {
						out[g][who] = us
					}
				}
			}
		}
	}
	require.NotEmpty(b, out)
	return out
}
