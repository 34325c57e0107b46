package diarize_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// mixtures are the conversations that are mixed from each half of the voices.
var mixtures = []struct {
	group string
	mixture
}{
	{"overlap", mixture{voices: 2, overlap: 0.2}},
	{"overlap", mixture{voices: 2, overlap: 0.5}},
	{"overlap", mixture{voices: 2, overlap: 0.9}},
	{"overlap", mixture{voices: 3, overlap: 0.4}},
	{"overlap", mixture{voices: 4, overlap: 0.3}},
	{"overlap_room", mixture{voices: 2, overlap: 0.4, room: 0.4, noise: 20}},
	{"overlap_room", mixture{voices: 3, overlap: 0.3, room: 0.3, noise: 25}},
	{"overlap_room", mixture{voices: 3, overlap: 0.4, noise: 15}},
	{"overlap_phone", mixture{voices: 2, overlap: 0.4, phone: true}},
	{"alone", mixture{voices: 2}},
	{"alone", mixture{voices: 3}},
	{"alone", mixture{voices: 3, room: 0.4, noise: 20}},
	{"alone", mixture{voices: 2, phone: true}},
}

// mixed returns the mixtures of each half of the voices.
func mixed(b *testing.B, seed uint64) (out [2]map[string][]labelled) {
	for half, voices := range readSources(b) {
		out[half] = map[string][]labelled{}
		for i, m := range mixtures {
			samples, ref := m.mix(voices, seed+uint64(100*half+i))
			out[half][m.group] = append(out[half][m.group], labelled{audio: pcm(samples), ref: ref})
		}
	}
	return out
}

// BenchmarkOverlapWeights trains trainedOverlap on mixtures of each half of the voices, and of both, and logs the weights. For several odds it
// logs by how many points second voices lower the DER: on the half, on the other one, and on the recordings of the corpus. Set
// SOUNDSTAGE_CORPUS, and run with -benchtime 1x.
func BenchmarkOverlapWeights(b *testing.B) {
	recorded := readCorpus(b)
	sets := map[string][]*diarize.OverlapRecording{}
	add := func(name string, files []labelled) {
		for _, f := range files {
			if len(f.ref) > 0 {
				sets[name] = append(sets[name], diarize.ReadOverlap(b, f.audio, f.ref))
			}
		}
	}
	for half, groups := range mixed(b, 0) {
		for group, files := range groups {
			add(fmt.Sprint(group, half), files)
		}
	}
	for group, files := range recorded {
		add(group, files)
	}
	names := slices.Sorted(maps.Keys(sets))
	for _, halves := range []string{"01", "0", "1"} {
		b.Run(halves, func(b *testing.B) {
			for b.Loop() {
				var features [][]float64
				var heard []bool
				for _, name := range names {
					for _, r := range sets[name] {
						if strings.ContainsAny(name[len(name)-1:], halves) {
							x, y := r.Examples(b)
							features, heard = append(features, x...), append(heard, y...)
						}
					}
				}
				w, bias := diarize.TrainOverlap(features, heard)
				report := fmt.Sprintf("evidence %.2f, nearness %.2f, bias %.2f", w[0], w[1], bias)
				for _, least := range []float64{0, 1, 1.5, 2, 3} {
					report += fmt.Sprintf("\n%.1f:", least)
					for _, name := range names {
						var before, after der.Score
						for _, r := range sets[name] {
							before, after = before.Add(r.First), after.Add(r.Score(b, w[0], w[1], bias, least))
						}
						report += fmt.Sprintf(" %s %.2f", name, 100*(before.DER()-after.DER()))
					}
				}
				b.Log(report)
			}
		})
	}
}

// BenchmarkOverlap scores the recordings of SOUNDSTAGE_CORPUS, and other mixtures of their voices than those of the training, without and with
// second voices: metrics that begin with 1. and 2. worst-points is the largest increase of the DER of a recording. Run with -benchtime 1x.
func BenchmarkOverlap(b *testing.B) {
	groups := readCorpus(b)
	for _, half := range mixed(b, 1000) {
		for group, files := range half {
			groups["mixed_"+group] = append(groups["mixed_"+group], files...)
		}
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		b.Run(group, func(b *testing.B) {
			for b.Loop() {
				scoreOverlap(b, groups[group])
			}
		})
	}
}

func scoreOverlap(b *testing.B, files []labelled) {
	var before, after der.Score
	var words der.WordScore
	var found, truth, both time.Duration
	worst := 0.0
	for _, f := range files {
		if len(f.ref) == 0 {
			continue
		}
		turns, err := diarize.Run(context.Background(), bytes.NewReader(f.audio), diarize.Config{Overlap: true})
		require.NoError(b, err)
		first, all := der.DER(f.ref, der.FromTurns(turns.First()), der.Options{}), der.DER(f.ref, der.FromTurns(turns), der.Options{})
		before, after, worst = before.Add(first), after.Add(all), max(worst, all.DER()-first.DER())
		words = words.Add(wordScore(f.ref, turns))
		hyp, ref := twice(der.FromTurns(turns)), twice(f.ref)
		for i := range max(len(hyp), len(ref)) {
			h, r := i < len(hyp) && hyp[i] > 1, i < len(ref) && ref[i] > 1
			if h {
				found += 10 * time.Millisecond
			}
			if r {
				truth += 10 * time.Millisecond
			}
			if h && r {
				both += 10 * time.Millisecond
			}
		}
	}
	percent := func(part, of time.Duration) float64 { return 100 * float64(part) / float64(max(of, 1)) }
	if before.Total == 0 {
		b.Skip("no labelled speech")
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(100*before.DER(), "1.DER%")
	b.ReportMetric(100*after.DER(), "2.DER%")
	for name, s := range map[string]der.Score{"1": before, "2": after} {
		b.ReportMetric(percent(s.Missed, s.Total), name+".missed%")
		b.ReportMetric(percent(s.FalseAlarm, s.Total), name+".false%")
		b.ReportMetric(percent(s.Confusion, s.Total), name+".confused%")
	}
	b.ReportMetric(100*worst, "worst-points")
	b.ReportMetric(found.Seconds(), "found-s")
	b.ReportMetric(100*words.WDER(), "WDER%")
	b.ReportMetric(percent(both, found), "precision%")
	b.ReportMetric(percent(both, truth), "recall%")
	b.ReportMetric(percent(truth, before.Total), "overlap%")
}

// twice returns the number of speakers in each 10 ms.
func twice(segments []der.Segment) []int {
	var out []int
	seen := map[string]int{}
	for _, s := range segments {
		for i := max(int(s.Start/(10*time.Millisecond)), seen[s.Speaker]); i < int(s.End/(10*time.Millisecond)); i++ {
			for len(out) <= i {
				out = append(out, 0)
			}
			out[i]++
			seen[s.Speaker] = i + 1
		}
	}
	return out
}
