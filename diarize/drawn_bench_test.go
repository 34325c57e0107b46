package diarize_test

import (
	"bytes"
	"context"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// drawing says how conversations are drawn from the voices of a corpus.
type drawing struct {
	name         string
	fewest, most int     // voices
	each         float64 // seconds of speech per voice, at most
	short        bool    // from voices with less than 20 s
	all          bool    // from all voices
	noise        float64 // signal-to-noise ratio in dB; 0 for none
	room         float64 // reverberation time in seconds; 0 for none
	music        float64 // speech-to-music ratio in dB; 0 for none
	part         bool    // music is under the last third only
	phone        bool    // over the telephone, into the room and its noise
	line         bool    // noise and room are on the telephone, too
	guests       bool    // the first voice is in a studio, and each other one somewhere else
	jingles      bool    // synthetic music of 3 to 6 s at the start, at the end, and between some turns
	songs        float64 // instead, recorded music of this many seconds up to twice as many; 0 for none
	bites        float64 // seconds of speech, up to twice as many, of each voice but the first; 0 for as many as the first has
	scenes       bool    // half of the first voice's turns are in noise, 12 to 22 dB below

	recorded [][]float64 // the corpus's music
}

var drawings = []drawing{
	{name: "clean", fewest: 2, most: 5, each: 60},
	{name: "noise", fewest: 2, most: 5, each: 60, noise: 20},
	{name: "room", fewest: 2, most: 5, each: 60, noise: 20, room: 0.4},
	{name: "hall", fewest: 2, most: 5, each: 60, noise: 15, room: 0.8},
	{name: "phone", fewest: 2, most: 4, each: 60, phone: true},
	{name: "noise_line", fewest: 2, most: 4, each: 60, noise: 15, line: true},
	{name: "room_line", fewest: 2, most: 4, each: 60, noise: 20, room: 0.4, line: true},
	{name: "hall_line", fewest: 2, most: 4, each: 60, noise: 15, room: 0.8, line: true},
	{name: "music", fewest: 2, most: 4, each: 60, music: 15},
	{name: "music10", fewest: 2, most: 4, each: 60, music: 10},
	{name: "music_part", fewest: 2, most: 5, each: 60, music: 15, part: true, noise: 25},
	{name: "single_music_part", fewest: 1, most: 1, each: 60, music: 12, part: true, noise: 25},
	{name: "short", fewest: 2, most: 6, each: 14, short: true},
	{name: "short_room", fewest: 2, most: 4, each: 14, short: true, noise: 20, room: 0.4},
	{name: "short_phone", fewest: 2, most: 4, each: 14, short: true, phone: true},
	{name: "mid_room", fewest: 2, most: 4, each: 22, noise: 20, room: 0.4},
	{name: "mid_phone", fewest: 2, most: 4, each: 22, phone: true},
	{name: "guest_phone", fewest: 2, most: 2, each: 60, guests: true, phone: true},
	{name: "guests", fewest: 2, most: 4, each: 60, guests: true},
	{name: "news", fewest: 3, most: 6, each: 30, guests: true, jingles: true, all: true},
	{name: "report", fewest: 3, most: 6, each: 60, guests: true, bites: 8},
	{name: "report_scenes", fewest: 3, most: 6, each: 60, guests: true, bites: 8, scenes: true},
	{name: "report_jingles", fewest: 3, most: 6, each: 60, guests: true, bites: 8, scenes: true, songs: 2.5},
	{name: "jingles", fewest: 2, most: 4, each: 40, guests: true, songs: 2.5},
	{name: "jingles_phone", fewest: 2, most: 4, each: 40, phone: true, songs: 2.5},
	{name: "songs", fewest: 2, most: 4, each: 40, songs: 20},
	{name: "songs_phone", fewest: 2, most: 4, each: 40, phone: true, songs: 20},
	{name: "single_songs", fewest: 1, most: 1, each: 60, songs: 20},
	{name: "uneven", fewest: 3, most: 5, each: 60, bites: 5},
	{name: "uneven_room", fewest: 3, most: 5, each: 60, bites: 5, noise: 20, room: 0.4},
	{name: "uneven_phone", fewest: 3, most: 5, each: 60, bites: 5, phone: true},
	{name: "many", fewest: 7, most: 10, each: 30, all: true},
	{name: "many_short", fewest: 8, most: 16, each: 12, all: true},
	{name: "single", fewest: 1, most: 1, each: 60},
	{name: "single_noise", fewest: 1, most: 1, each: 60, noise: 20},
	{name: "single_room", fewest: 1, most: 1, each: 60, noise: 20, room: 0.4},
	{name: "single_phone", fewest: 1, most: 1, each: 60, phone: true},
	{name: "single_noise_line", fewest: 1, most: 1, each: 60, noise: 15, line: true},
	{name: "single_room_line", fewest: 1, most: 1, each: 60, noise: 20, room: 0.4, line: true},
	{name: "single_hall", fewest: 1, most: 1, each: 60, noise: 15, room: 0.8},
	{name: "single_hall_line", fewest: 1, most: 1, each: 60, noise: 15, room: 0.8, line: true},
	{name: "single_mid_line", fewest: 1, most: 1, each: 40, noise: 15, room: 0.8, line: true},
	{name: "single_music", fewest: 1, most: 1, each: 60, music: 12},
	{name: "single_short", fewest: 1, most: 1, each: 14, short: true},
}

// BenchmarkDrawn scores conversations between voices drawn from the corpus of BenchmarkCorpus. There are more of them than files in the
// corpus, but with few voices. DRAWN is how many of each kind, by default 20. Run with -benchtime 1x.
func BenchmarkDrawn(b *testing.B) {
	n, said := drawn(b), onceSaid(b)
	if len(said) < 10 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech of ten voices")
	}
	recorded := recordedMusic(b)
	for _, d := range drawings {
		d.recorded = recorded
		for _, known := range []bool{false, true} {
			if known && d.most == 1 {
				continue
			}
			b.Run(d.name+map[bool]string{false: "/found", true: "/known"}[known], func(b *testing.B) {
				if d.songs > 0 && len(recorded) == 0 {
					b.Skip("SOUNDSTAGE_CORPUS names no folder with music")
				}
				for b.Loop() {
					d.score(b, said, n, known)
				}
			})
		}
	}
}

// drawn returns how many conversations of a kind are drawn.
func drawn(b *testing.B) int {
	s := os.Getenv("DRAWN")
	if s == "" {
		return 20
	}
	n, err := strconv.Atoi(s)
	require.NoError(b, err)
	return n
}

// onceSaid returns what each voice of the corpus says in one of its clean files, since other files repeat it. Voices with less than 8 s are left out.
func onceSaid(b *testing.B) map[string][][]float64 {
	said := map[string][][]float64{}
	for _, pattern := range []string{"2spk_clean_*.flac", "3spk_clean_*.flac", "quick_*.flac", "jingle_*.flac", "short_*.flac", "many_*.flac"} {
		for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			require.NoError(b, err)
			for _, path := range paths {
				here := map[string][][]float64{}
				addSaid(here, readLabelled(b, path, ""))
				for who, pieces := range here {
					if said[who] == nil {
						said[who] = pieces
					}
				}
			}
		}
	}
	maps.DeleteFunc(said, func(_ string, pieces [][]float64) bool { return seconds(pieces) < 8 })
	return said
}

// recordedMusic returns the recordings of the corpus that have music only.
func recordedMusic(b *testing.B) (out [][]float64) {
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
		paths, err := filepath.Glob(filepath.Join(dir, "music_*.flac"))
		require.NoError(b, err)
		for _, path := range paths {
			x := floats(readLabelled(b, path, "").audio)
			out = append(out, scaled(x, 0.05/rms(x)))
		}
	}
	return out
}

// score scores n conversations, with the number of voices known or found.
func (d drawing) score(b *testing.B, said map[string][][]float64, n int, known bool) {
	var score der.Score
	var words der.WordScore
	right, more, fewer := 0, 0, 0
	for seed := range n {
		samples, ref, voices := d.draw(said, uint64(seed))
		var c diarize.Config
		if known {
			c.Speakers = voices
		}
		turns, err := diarize.Run(context.Background(), bytes.NewReader(pcm(samples)), c)
		require.NoError(b, err)
		score = score.Add(der.DER(ref, der.FromTurns(turns), der.Options{}))
		words = words.Add(wordScore(ref, turns))
		switch got := turns.Speakers(); {
		case got == voices:
			right++
		case got > voices:
			more++
		default:
			fewer++
		}
	}
	b.ReportMetric(100*score.DER(), "DER%")
	b.ReportMetric(100*words.WDER(), "WDER%")
	b.ReportMetric(float64(right), "counts-right")
	b.ReportMetric(float64(more), "more")
	b.ReportMetric(float64(fewer), "fewer")
}

// draw mixes a conversation. Voices take turns of one to four pieces, at levels that differ by up to 6 dB.
func (d drawing) draw(said map[string][][]float64, seed uint64) (samples []int16, ref []der.Segment, voices int) {
	rng := rand.New(rand.NewPCG(seed, 31))
	names := slices.Sorted(maps.Keys(said))
	names = slices.DeleteFunc(names, func(name string) bool { return !d.all && seconds(said[name]) < 20 != d.short })
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	voices = d.fewest + int(seed)%(d.most-d.fewest+1)
	names = names[:voices]
	left, gains := map[string][][]float64{}, map[string]float64{}
	for i, name := range names {
		each := d.each
		if d.bites > 0 && i > 0 {
			each = d.bites * (1 + rng.Float64())
		}
		pieces := slices.Clone(said[name])
		rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		n, level := 0, 0.0
		for n < len(pieces) && seconds(pieces[:n]) < each {
			level += rms(pieces[n])
			n++
		}
		level /= float64(n)
		left[name] = pieces[:n]
		gains[name] = 0.05 / level * math.Pow(10, (6*rng.Float64()-3)/20)
	}
	audio := make([]float64, rate/2)
	var jingle []float64
	if d.jingles {
		jingle = scaled(music(3*rate+rng.IntN(3*rate), rng), 0.05)
	}
	jingles := func(likely float64) {
		if (!d.jingles && d.songs == 0) || rng.Float64() >= likely {
			return
		}
		if d.songs > 0 {
			jingle = d.song(rng)
		}
		audio = append(append(audio, jingle...), make([]float64, rng.IntN(rate))...)
	}
	jingles(1)
	places := map[string]place{}
	for i, name := range names {
		switch {
		case d.guests && i > 0 && d.phone:
			places[name] = place{phone: true}
		case d.guests && i > 0:
			places[name] = elsewhere[rng.IntN(len(elsewhere))]
		}
	}
	last := ""
	for len(left) > 0 {
		who := slices.Sorted(maps.Keys(left))[rng.IntN(len(left))]
		if who == last && len(left) > 1 {
			continue
		}
		last = who
		jingles(0.1)
		begin := len(audio)
		audio = append(audio, make([]float64, int(rate*(0.15+0.6*rng.Float64())))...)
		for range 1 + rng.IntN(4) {
			if len(left[who]) == 0 {
				delete(left, who)
				break
			}
			piece := left[who][0]
			left[who] = left[who][1:]
			ref = append(ref, loud(piece, len(audio), who)...)
			for _, v := range piece {
				audio = append(audio, gains[who]*v)
			}
			audio = append(audio, make([]float64, int(rate*(0.1+0.4*rng.Float64())))...)
		}
		if d.guests {
			where, noise := places[who], seed
			if d.scenes && who == names[0] && rng.IntN(2) == 0 {
				where.noise, noise = 12+10*rng.Float64(), seed+uint64(begin)
			}
			audio = append(audio[:begin], where.record(audio[begin:], noise, who)...)
		}
	}
	jingles(1)
	if d.phone && !d.guests {
		audio = call(audio)
	}
	s := script{seed: seed, noise: d.noise, room: d.room, music: d.music}
	if d.part {
		n := len(audio) * 2 / 3
		first := s
		first.music = 0
		samples = append(first.mix(slices.Clone(audio[:n]), rng)[:n], s.mix(audio[n:], rng)...)
	} else {
		samples = s.mix(audio, rng)
	}
	if d.line {
		samples = quantise(call(dequantise(samples)))
	}
	return samples, ref, voices
}

// song cuts recorded music.
func (d drawing) song(rng *rand.Rand) []float64 {
	x := d.recorded[rng.IntN(len(d.recorded))]
	n := min(int(rate*d.songs*(1+rng.Float64())), len(x))
	at := rng.IntN(len(x) - n + 1)
	return x[at : at+n]
}

// place is where a voice is recorded. The zero place is a studio.
type place struct {
	room, noise float64
	phone       bool
}

// elsewhere are the places of guests.
var elsewhere = []place{{}, {phone: true}, {phone: true, noise: 20}, {noise: 15}, {room: 0.4, noise: 20}, {room: 0.6, noise: 20}}

// record returns what a voice sounds like in its place.
func (p place) record(turn []float64, seed uint64, who string) []float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(who))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	s := script{noise: p.noise, room: p.room}
	if p.room > 0 || p.noise > 0 {
		turn = dequantise(s.mix(turn, rng))
	}
	if p.phone {
		turn = call(turn)
	}
	return turn
}

// call sends audio over the telephone: 300 to 3,400 Hz, as µ-law at 8 kHz.
func call(x []float64) []float64 {
	const taps = 129
	var filter [taps]float64
	for i := range filter {
		t := float64(i - taps/2)
		filter[i] = (sinc(2*3400/float64(rate), t) - sinc(2*300/float64(rate), t)) * (0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/(taps-1)))
	}
	narrow := make([]float64, len(x)/2)
	for i := range narrow {
		for k, w := range filter {
			if at := 2*i + k - taps/2; at >= 0 && at < len(x) {
				narrow[i] += w * x[at]
			}
		}
		level := math.Round(127*math.Log1p(255*min(math.Abs(narrow[i]), 1))/math.Log(256)) / 127
		narrow[i] = math.Copysign((math.Pow(256, level)-1)/255, narrow[i])
	}
	return resample(narrow, rate/2)
}

// sinc is the impulse response of a low-pass filter. Its bandwidth is relative to half of the sample rate.
func sinc(bandwidth, t float64) float64 {
	if t == 0 {
		return bandwidth
	}
	return math.Sin(math.Pi*bandwidth*t) / (math.Pi * t)
}

func seconds(pieces [][]float64) float64 {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	return float64(n) / rate
}
