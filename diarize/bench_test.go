package diarize_test

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/stretchr/testify/require"
)

// BenchmarkCorpus scores labelled speech by group, with the number of speakers estimated and known: the error rate, and its parts. SOUNDSTAGE_CORPUS names folders
// with *.flac, separated by ":", each file with a NAME.rttm; the project has no such data. The group is the name up to the first
// "_"; that of 3spk_room_* is room, and that of 1spk_* single. A file of the group single without segments has one voice, and of
// the group music none: there, only the number of speakers is scored. Run with -benchtime 1x.
func BenchmarkCorpus(b *testing.B) {
	groups := readCorpus(b)
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		for _, known := range []bool{false, true} {
			if known && (group == "single" || group == "music") {
				continue
			}
			b.Run(group+map[bool]string{false: "/found", true: "/known"}[known], func(b *testing.B) {
				for b.Loop() {
					scoreGroup(b, groups[group], known)
				}
			})
		}
	}
}

// codecs are options of ffmpeg's encoders, as calls, podcasts, and videos have them.
var codecs = []struct{ name, options string }{
	{"mulaw", "-ar 8000 -c:a pcm_mulaw"},
	{"gsm", "-ar 8000 -c:a libgsm_ms"},
	{"g723", "-ar 8000 -c:a g723_1 -b:a 6300"},
	{"speex", "-ar 8000 -c:a libspeex -q:a 4"},
	{"opus8", "-c:a libopus -b:a 8k -application voip"},
	{"opus16", "-c:a libopus -b:a 16k -application voip"},
	{"opus32", "-c:a libopus -b:a 32k"},
	{"mp3_32", "-c:a libmp3lame -b:a 32k"},
	{"mp3_64", "-ar 44100 -c:a libmp3lame -b:a 64k"},
	{"aac32", "-c:a aac -b:a 32k"},
	{"aac64", "-ar 44100 -c:a aac -b:a 64k"},
}

// BenchmarkCodecs scores the conversations of the corpus after codecs. Run with -benchtime 1x.
func BenchmarkCodecs(b *testing.B) {
	groups := readCorpus(b)
	for _, codec := range codecs {
		for _, group := range slices.Sorted(maps.Keys(groups)) {
			if group == "music" {
				continue
			}
			b.Run(codec.name+"/"+group, func(b *testing.B) {
				files := slices.Clone(groups[group])
				for i := range files {
					files[i].audio = code(b, files[i].audio, codec.options)
				}
				b.ResetTimer()
				for b.Loop() {
					scoreGroup(b, files, false)
				}
			})
		}
	}
}

// code returns samples as an encoder with options and its decoder leave them.
func code(b *testing.B, audio []byte, options string) []byte {
	raw := []string{"-f", "s16le", "-ac", "1", "-ar", "16000"}
	ffmpeg := func(input []byte, arguments ...string) []byte {
		c := exec.Command("ffmpeg", append([]string{"-v", "error"}, arguments...)...)
		c.Stdin = bytes.NewReader(input)
		out, err := c.Output()
		require.NoError(b, err)
		return out
	}
	coded := ffmpeg(audio, slices.Concat(raw, []string{"-i", "-"}, strings.Fields(options), []string{"-f", "matroska", "-"})...)
	return ffmpeg(coded, slices.Concat([]string{"-i", "-"}, raw, []string{"-"})...)
}

// labelled is a recording of a corpus.
type labelled struct {
	audio    []byte
	ref      []der.Segment
	speakers int
}

// readCorpus returns the recordings of SOUNDSTAGE_CORPUS by group.
func readCorpus(b *testing.B) map[string][]labelled {
	groups := map[string][]labelled{}
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_CORPUS")) {
		paths, err := filepath.Glob(filepath.Join(dir, "*.flac"))
		require.NoError(b, err)
		for _, path := range paths {
			group := corpusGroup(filepath.Base(path))
			groups[group] = append(groups[group], readLabelled(b, path, group))
		}
	}
	if len(groups) == 0 {
		b.Skip("SOUNDSTAGE_CORPUS names no folder with labelled speech")
	}
	return groups
}

func corpusGroup(name string) string {
	parts := strings.Split(name, "_")
	if parts[0] == "1spk" {
		return "single"
	}
	if strings.HasSuffix(parts[0], "spk") {
		return parts[1]
	}
	return parts[0]
}

func readLabelled(b *testing.B, path, group string) labelled {
	missing(b, "ffmpeg")
	audio, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "16000", "-").Output()
	require.NoError(b, err)
	text, err := os.ReadFile(strings.TrimSuffix(path, ".flac") + ".rttm")
	require.NoError(b, err)
	refs, err := der.ParseRTTM(bytes.NewReader(text))
	require.NoError(b, err)
	f := labelled{audio: audio}
	names := map[string]bool{}
	for _, ref := range refs {
		f.ref = ref
		for _, s := range ref {
			names[s.Speaker] = true
		}
	}
	f.speakers = len(names)
	if f.speakers == 0 && group == "single" {
		f.speakers = 1
	}
	return f
}

func scoreGroup(b *testing.B, files []labelled, known bool) {
	var score der.Score
	var words der.WordScore
	var audio time.Duration
	right := 0
	for _, f := range files {
		var c diarize.Config
		if known {
			c.Speakers = f.speakers
		}
		turns, err := diarize.Run(context.Background(), bytes.NewReader(f.audio), c)
		require.NoError(b, err)
		if len(f.ref) > 0 {
			score = score.Add(der.DER(f.ref, der.FromTurns(turns), der.Options{}))
			words = words.Add(wordScore(f.ref, turns))
		}
		audio += time.Duration(len(f.audio)/2) * time.Second / rate
		if turns.Speakers() == f.speakers {
			right++
		}
	}
	if score.Total > 0 {
		b.ReportMetric(100*score.DER(), "DER%")
		for name, part := range map[string]time.Duration{"missed%": score.Missed, "false-alarm%": score.FalseAlarm, "confused%": score.Confusion} {
			b.ReportMetric(100*part.Seconds()/score.Total.Seconds(), name)
		}
		b.ReportMetric(100*words.WDER(), "WDER%")
	}
	b.ReportMetric(float64(right), "counts-right")
	b.ReportMetric(float64(len(files)), "files")
	b.ReportMetric(audio.Seconds()/b.Elapsed().Seconds(), "x-real-time")
}

// wordScore assigns speakers to words of 0.4 s, cut from the reference, and counts the wrong ones.
func wordScore(ref []der.Segment, turns []transcript.Turn) der.WordScore {
	var words []transcript.Word
	var truth, got []string
	for _, s := range der.SimulateWords(ref, 400*time.Millisecond) {
		words = append(words, transcript.Word{Text: "word", Start: s.Start, End: s.End})
		truth = append(truth, s.Speaker)
	}
	for _, w := range diarize.Assign(words, turns, "en") {
		got = append(got, w.Speaker)
	}
	return der.Words(truth, got)
}

// BenchmarkConditions scores the conversations of the budgets. Run with -benchtime 1x.
func BenchmarkConditions(b *testing.B) {
	for _, c := range budgets {
		b.Run(strings.ReplaceAll(c.condition, " ", "_"), func(b *testing.B) {
			c.script.length = 75 * time.Second
			samples, ref := c.script.play(b)
			audio := pcm(samples)
			var turns diarize.Turns
			for b.Loop() {
				var err error
				turns, err = diarize.Run(context.Background(), bytes.NewReader(audio), diarize.Config{})
				require.NoError(b, err)
			}
			b.ReportMetric(100*der.DER(ref, der.FromTurns(turns), der.Options{}).DER(), "DER%")
			b.ReportMetric(c.most, "budget%")
			b.ReportMetric(float64(b.N)*float64(len(samples))/rate/b.Elapsed().Seconds(), "x-real-time")
		})
	}
}

// BenchmarkHours measures time and memory for 1, 2, 5 and 10 h of audio, which must grow at most linearly. It repeats
// 20 minutes of audio, as much as is clustered at a time. Run with -benchtime 1x.
func BenchmarkHours(b *testing.B) {
	samples, _ := script{seed: 60, voices: cast[:4], length: 20 * time.Minute, noise: 25}.play(b)
	audio := pcm(samples)
	for _, h := range []struct {
		name  string
		hours int
	}{{"1h", 1}, {"2h", 2}, {"5h", 5}, {"10h", 10}} {
		b.Run(h.name, func(b *testing.B) {
			size := int64(h.hours) * 3600 * rate * 2
			peak := 0
			for b.Loop() {
				peak = max(peak, peakHeap(func() {
					turns, err := diarize.Run(context.Background(), io.LimitReader(&loopReader{audio: audio}, size), diarize.Config{})
					require.NoError(b, err)
					require.NotEmpty(b, turns)
					b.ReportMetric(float64(turns.Speakers()), "speakers")
				}))
			}
			b.ReportMetric(float64(peak)/1e6, "MB")
			b.ReportMetric(float64(b.N*h.hours)*3600/b.Elapsed().Seconds(), "x-real-time")
		})
	}
}

// loopReader reads the same audio repeatedly.
type loopReader struct {
	audio []byte
	at    int
}

func (a *loopReader) Read(p []byte) (int, error) {
	n := copy(p, a.audio[a.at:])
	a.at = (a.at + n) % len(a.audio)
	return n, nil
}
