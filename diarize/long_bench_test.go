package diarize_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

const longPart = 10 * time.Minute // a long recording is made of such parts

// BenchmarkTwoHours scores 2 h of five espeak-ng voices in noise, and with music 10 dB below every third part. Set LONG=1: it takes
// minutes. Run with -benchtime 1x.
func BenchmarkTwoHours(b *testing.B) {
	if os.Getenv("LONG") == "" {
		b.Skip("set LONG=1")
	}
	for name, music := range map[string]float64{"noise": 0, "music": 10} {
		b.Run(name, func(b *testing.B) {
			var long recording
			for i := range 12 {
				s := script{seed: uint64(70 + i), voices: cast[:5], length: longPart, noise: 25}
				if i%3 == 2 {
					s.music = music
				}
				samples, ref := s.play(b)
				long.add(samples, ref)
			}
			long.score(b)
		})
	}
}

// BenchmarkJoined scores long conversations between voices of the corpus of BenchmarkCorpus: an hour of five voices, two hours of all
// with 45 s of clean speech, and two hours of five of them and of others who speak once, for about half a minute. The long ones have music 15 dB
// below every third part. What a voice says is repeated, in other noise. Set LONG=1: it takes minutes. Run with -benchtime 1x.
func BenchmarkJoined(b *testing.B) {
	if os.Getenv("LONG") == "" {
		b.Skip("set LONG=1")
	}
	said := map[string][][]float64{}
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
		for _, pattern := range []string{"*spk_clean_*.flac", "quick_*.flac", "short_*.flac", "many_*.flac"} {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			require.NoError(b, err)
			for _, path := range paths {
				addSaid(said, readLabelled(b, path, ""))
			}
		}
	}
	maps.DeleteFunc(said, func(_ string, pieces [][]float64) bool {
		n := 0
		for _, x := range pieces {
			n += len(x)
		}
		return n < 45*rate
	})
	if len(said) < 5 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech of five voices")
	}
	all := slices.Sorted(maps.Keys(said))
	for _, c := range []struct {
		name   string
		voices []string
		brief  []string // each speaks in one part only
		parts  int
		noise  float64
		music  float64
	}{
		{"5_voices", all[:5], nil, 6, 30, 0},
		{"all_voices_music", all, nil, 12, 25, 15},
		{"brief_music", all[:5], all[5:], 12, 25, 15},
	} {
		b.Run(c.name, func(b *testing.B) {
			var long recording
			said := maps.Clone(said)
			for i := range c.parts {
				s := script{seed: uint64(i), noise: c.noise}
				if i%3 == 2 {
					s.music = c.music
				}
				brief := ""
				if i%2 == 1 && i/2 < len(c.brief) {
					brief = c.brief[i/2]
				}
				samples, ref := s.converse(c.voices, brief, said)
				long.add(samples, ref)
			}
			long.score(b)
		})
	}
}

// BenchmarkLongQuickTurns scores eight conversations each of half an hour, between two to five espeak-ng voices in turns of 1 to 2.5 s: near, with one
// who has a sixth of the others' turns, and on the telephone. Set LONG=1: it takes minutes. Run with -benchtime 1x.
func BenchmarkLongQuickTurns(b *testing.B) {
	if os.Getenv("LONG") == "" {
		b.Skip("set LONG=1")
	}
	for name, c := range map[string]struct {
		least float64 // turns of the last voice, as a share of those of each other one
		phone bool
	}{"near": {1, false}, "uneven": {0.15, false}, "phone": {1, true}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var words der.WordScore
				right := 0
				for seed := range 8 {
					voices := cast[seed/4*2:][:2+seed%4]
					samples, ref := quickTalk(b, uint64(seed), voices, c.least)
					if c.phone {
						samples = telephone(samples)
					}
					turns := run(b, samples, diarize.Config{})
					words = words.Add(wordScore(ref, turns))
					if turns.Speakers() == len(voices) {
						right++
					}
				}
				b.ReportMetric(100*words.WDER(), "WDER%")
				b.ReportMetric(float64(right), "counts-right")
			}
		})
	}
}

// quickTalk returns half an hour of voices in noise that say words in any order, in turns of 1 to 2.5 s. The last one has a share of the turns that
// each other one has.
func quickTalk(tb testing.TB, seed uint64, voices []voice, share float64) ([]int16, []der.Segment) {
	rng := rand.New(rand.NewPCG(seed, 77))
	words := strings.Fields(strings.Join(sentences, " "))
	audio, last := make([]float64, rate/2), -1
	var ref []der.Segment
	for len(audio) < 30*60*rate {
		who := rng.IntN(len(voices))
		if who == last || who == len(voices)-1 && rng.Float64() > share {
			continue
		}
		last = who
		rng.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		x, err := voices[who].say(strings.Join(words[:12], " "))
		require.NoError(tb, err)
		x = x[:min(len(x), rate+rng.IntN(rate*3/2))]
		ref = append(ref, loud(x, len(audio), voices[who].name)...)
		audio = append(append(audio, x...), make([]float64, rng.IntN(rate*3/10))...)
	}
	return script{noise: 25}.mix(audio, rng), ref
}

// addSaid adds what each voice of a recording says, for at least a second each.
func addSaid(said map[string][][]float64, f labelled) {
	for _, s := range f.ref {
		from, to := 2*int(s.Start.Seconds()*rate), min(len(f.audio), 2*int(s.End.Seconds()*rate))
		if to-from < 2*rate {
			continue
		}
		said[s.Speaker] = append(said[s.Speaker], floats(f.audio[from:to]))
	}
}

// floats returns 16-bit samples as numbers from −1 to 1.
func floats(pcm []byte) []float64 {
	x := make([]float64, len(pcm)/2)
	for i := range x {
		x[i] = float64(int16(binary.LittleEndian.Uint16(pcm[2*i:]))) / 32768
	}
	return x
}

// converse mixes a part in which voices take turns of one to three pieces of what they have said, in another order each time. The brief one, if
// any, has turns until it has said half a minute.
func (s script) converse(voices []string, brief string, said map[string][][]float64) (samples []int16, ref []der.Segment) {
	rng := rand.New(rand.NewPCG(s.seed, 99))
	queue := map[string][][]float64{}
	audio := make([]float64, rate/2)
	last, left := "", 30.0 // s
	for len(audio) < int(longPart.Seconds())*rate {
		who := voices[rng.IntN(len(voices))]
		if brief != "" && left > 0 && last != brief && len(audio) > int(longPart.Seconds())*rate/2 {
			who = brief
		}
		if who == last {
			continue
		}
		last = who
		audio = append(audio, make([]float64, int(rate*(0.15+0.6*rng.Float64())))...)
		for range 1 + rng.IntN(3) {
			if len(queue[who]) == 0 {
				queue[who] = slices.Clone(said[who])
				rng.Shuffle(len(queue[who]), func(i, j int) { queue[who][i], queue[who][j] = queue[who][j], queue[who][i] })
			}
			ref = append(ref, loud(queue[who][0], len(audio), who)...)
			audio = append(append(audio, queue[who][0]...), make([]float64, int(rate*(0.1+0.4*rng.Float64())))...)
			if who == brief {
				left -= seconds(queue[who][:1])
			}
			queue[who] = queue[who][1:]
		}
	}
	return s.mix(audio, rng), ref
}

// recording is a long recording with its reference.
type recording struct {
	audio []byte
	ref   []der.Segment
}

// add appends a part.
func (r *recording) add(samples []int16, ref []der.Segment) {
	offset := time.Duration(len(r.audio)/2) * time.Second / rate
	for _, s := range ref {
		r.ref = append(r.ref, der.Segment{Speaker: s.Speaker, Start: s.Start + offset, End: s.End + offset})
	}
	r.audio = append(r.audio, pcm(samples)...)
}

// score diarizes the recording, with the number of speakers found and known.
func (r *recording) score(b *testing.B) {
	names := map[string]bool{}
	for _, s := range r.ref {
		names[s.Speaker] = true
	}
	for name, c := range map[string]diarize.Config{"found": {}, "known": {Speakers: len(names)}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				turns, err := diarize.Run(context.Background(), bytes.NewReader(r.audio), c)
				require.NoError(b, err)
				b.ReportMetric(float64(turns.Speakers()), "speakers")
				b.ReportMetric(100*der.DER(r.ref, der.FromTurns(turns), der.Options{}).DER(), "DER%")
				b.ReportMetric(100*wordScore(r.ref, turns).WDER(), "WDER%")
			}
			b.ReportMetric(float64(b.N)*float64(len(r.audio)/2)/rate/b.Elapsed().Seconds(), "x-real-time")
		})
	}
}
