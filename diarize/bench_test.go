package diarize_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/stretchr/testify/require"
)

// prototype is the word diarization error rate, in percent, of a prototype of the same method on our development set. It
// covers all conditions together, with the number of speakers known or estimated. Compare BenchmarkCorpus with it.
var prototype = map[bool]float64{true: 3.2, false: 3.8}

// BenchmarkCorpus scores labelled speech, clean and in rooms, with the number of speakers estimated and known.
// SOUNDSTAGE_CORPUS is a folder with files *clean*.flac and *room*.flac, each with an RTTM file; the project has no such
// data. Run with -benchtime 1x.
func BenchmarkCorpus(b *testing.B) {
	missing(b, "ffmpeg")
	corpus := os.Getenv("SOUNDSTAGE_CORPUS")
	for _, condition := range []string{"clean", "room"} {
		paths, err := filepath.Glob(filepath.Join(corpus, "*"+condition+"*.flac"))
		require.NoError(b, err)
		if len(paths) == 0 {
			b.Skipf("SOUNDSTAGE_CORPUS is not a folder with labelled speech: %q", corpus)
		}
		type file struct {
			audio    []byte
			ref      []der.Segment
			speakers int
		}
		var set []file
		for _, path := range paths {
			audio, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "16000", "-").Output()
			require.NoError(b, err)
			text, err := os.ReadFile(strings.TrimSuffix(path, ".flac") + ".rttm")
			require.NoError(b, err)
			refs, err := der.ParseRTTM(bytes.NewReader(text))
			require.NoError(b, err)
			for _, ref := range refs {
				names := map[string]bool{}
				for _, s := range ref {
					names[s.Speaker] = true
				}
				set = append(set, file{audio, ref, len(names)})
			}
		}
		for _, known := range []bool{false, true} {
			name := condition + "/found"
			if known {
				name = condition + "/known"
			}
			b.Run(name, func(b *testing.B) {
				var score der.Score
				var words der.WordScore
				var audio time.Duration
				right := 0
				for b.Loop() {
					for _, f := range set {
						var c diarize.Config
						if known {
							c.Speakers = f.speakers
						}
						turns, err := diarize.Run(context.Background(), bytes.NewReader(f.audio), c)
						require.NoError(b, err)
						score = score.Add(der.DER(f.ref, der.FromTurns(turns), der.Options{}))
						words = words.Add(wordScore(f.ref, turns))
						audio += time.Duration(len(f.audio)/2) * time.Second / rate
						if turns.Speakers() == f.speakers {
							right++
						}
					}
				}
				b.ReportMetric(100*score.DER(), "DER%")
				b.ReportMetric(100*words.WDER(), "WDER%")
				b.ReportMetric(prototype[known], "prototype-WDER%")
				b.ReportMetric(float64(right)/float64(b.N), "counts-right")
				b.ReportMetric(float64(len(set)), "files")
				b.ReportMetric(audio.Seconds()/b.Elapsed().Seconds(), "x-real-time")
			})
		}
	}
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

// BenchmarkHours measures time and memory for 1, 2 and 10 h of audio, which must grow at most linearly. It repeats the same
// minutes of audio. Run with -benchtime 1x.
func BenchmarkHours(b *testing.B) {
	samples, _ := script{seed: 60, voices: cast[:4], length: 5 * time.Minute, noise: 25}.play(b)
	audio := pcm(samples)
	for _, h := range []struct {
		name  string
		hours int
	}{{"1h", 1}, {"2h", 2}, {"10h", 10}} {
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
