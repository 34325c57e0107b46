package diarize

import (
	"bytes"
	"context"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize/der"
	"github.com/stretchr/testify/require"
)

// BenchmarkTuneWeights trains tuneWeights and tuneBias and logs them. SOUNDSTAGE_MUSIC names folders with *.flac, separated by
// ":". A file music_* is music; a file single_* without segments in its NAME.rttm is speech; in others, segments are speech, and
// in jingle_* the rest is music. The more kinds of rooms and music, the better. Run with -benchtime 1x.
func BenchmarkTuneWeights(b *testing.B) {
	var paths []string
	for _, dir := range filepath.SplitList(os.Getenv("SOUNDSTAGE_MUSIC")) {
		found, err := filepath.Glob(filepath.Join(dir, "*.flac"))
		require.NoError(b, err)
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		b.Skip("SOUNDSTAGE_MUSIC names no folder with labelled speech and music")
	}
	for b.Loop() {
		var set examples
		for _, path := range paths {
			set.read(b, path)
		}
		weights, bias := set.regression()
		b.Logf("%d groups of speech, %d of music: weights %.3f, bias %.3f", set.count(false), set.count(true), weights, bias)
		lost, recognised := 0, 0
		for i, x := range set.features {
			if s := dot(weights, x) + bias; s > clearTune && !set.music[i] {
				lost++
			} else if s > clearTune {
				recognised++
			}
		}
		b.ReportMetric(100*float64(lost)/float64(set.count(false)), "speech-lost%")
		b.ReportMetric(100*float64(recognised)/float64(set.count(true)), "music-found%")
	}
}

// examples are groups of windows with known content.
type examples struct {
	features [][]float64
	music    []bool
	weights  []float64
}

func (e *examples) count(music bool) int {
	n := 0
	for _, m := range e.music {
		if m == music {
			n++
		}
	}
	return n
}

// read adds the groups of a file. All music of a file weighs the same, and so does each of its voices.
func (e *examples) read(tb testing.TB, path string) {
	name := filepath.Base(path)
	audio, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-ar", "16000", "-").Output()
	require.NoError(tb, err)
	text, err := os.ReadFile(strings.TrimSuffix(path, ".flac") + ".rttm")
	if !os.IsNotExist(err) {
		require.NoError(tb, err)
	}
	files, err := der.ParseRTTM(bytes.NewReader(text))
	require.NoError(tb, err)
	var ref []der.Segment
	for _, f := range files {
		ref = f
	}
	isMusic, jingle := strings.HasPrefix(name, "music_"), strings.Contains(name, "jingle")
	whole := strings.HasPrefix(name, "single_") && len(ref) == 0
	if whole && jingle {
		return
	}
	f, err := readFrames(context.Background(), bytes.NewReader(audio), nil, func(int) {})
	require.NoError(tb, err)
	spoken := make([]string, f.n)
	for i := range spoken {
		if whole {
			spoken[i] = "voice"
		}
	}
	for _, s := range ref {
		for i := int(s.Start / frameTime); i < min(int(s.End/frameTime), f.n); i++ {
			spoken[i] = s.Speaker
		}
	}
	require.NoError(tb, markSpeech(context.Background(), f, span{0, f.n}))
	speech := map[string][]span{}
	var music []span
	for _, w := range cutWindows(f, f.runs(span{0, f.n})) {
		n := map[string]int{}
		for _, who := range spoken[w.lo:w.hi] {
			n[who]++
		}
		who := spoken[(w.lo+w.hi)/2]
		if who != "" && n[who] >= w.len()*7/10 {
			speech[who] = append(speech[who], w)
		} else if n[""] == w.len() && (isMusic || jingle) {
			music = append(music, w)
		}
	}
	for _, who := range slices.Sorted(maps.Keys(speech)) {
		e.add(f, speech[who], false)
	}
	e.add(f, music, true)
}

// add adds groups of 4 windows, and of 12.
func (e *examples) add(f *frames, windows []span, music bool) {
	for _, size := range []int{4, 12} {
		for i := 0; i+size <= len(windows); i += size {
			var t tune
			for _, w := range windows[i : i+size] {
				t.observe(f, w)
			}
			x := t.features()
			e.features = append(e.features, x[:])
			e.music = append(e.music, music)
			e.weights = append(e.weights, 1/float64(len(windows)/size))
		}
	}
}

// regression fits a logistic regression. Both classes have the same weight.
func (e *examples) regression() (weights []float64, bias float64) {
	total := map[bool]float64{}
	for i, m := range e.music {
		total[m] += e.weights[i]
	}
	each := make([]float64, len(e.weights))
	for i, w := range e.weights {
		each[i] = 100 * w / total[e.music[i]]
	}
	return logistic(e.features, e.music, each)
}

// logistic fits a logistic regression by Newton's method.
func logistic(rows [][]float64, positive []bool, each []float64) (weights []float64, bias float64) {
	features := len(rows[0])
	dim := features + 1
	w, x := make([]float64, dim), make([]float64, dim)
	x[features] = 1
	for range 40 {
		gradient, hessian := make([]float64, dim), make([][]float64, dim)
		for k := range hessian {
			hessian[k] = make([]float64, dim)
			hessian[k][k] = 0.01
			gradient[k] = 0.01 * w[k]
		}
		for i, row := range rows {
			copy(x, row)
			y := 0.0
			if positive[i] {
				y = 1
			}
			p := 1 / (1 + math.Exp(-min(max(dot(w, x), -30), 30)))
			for r := range x {
				gradient[r] += each[i] * (p - y) * x[r]
				for c := range x {
					hessian[r][c] += each[i] * p * (1 - p) * x[r] * x[c]
				}
			}
		}
		for k, step := range solve(hessian, gradient) {
			w[k] -= step
		}
	}
	return w[:features], w[features]
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// solve solves a·x = b by Gaussian elimination, for a positive definite a, which it overwrites.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for r := i + 1; r < n; r++ {
			factor := a[r][i] / a[i][i]
			for c := i; c < n; c++ {
				a[r][c] -= factor * a[i][c]
			}
			b[r] -= factor * b[i]
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = b[i]
		for c := i + 1; c < n; c++ {
			x[i] -= a[i][c] * x[c]
		}
		x[i] /= a[i][i]
	}
	return x
}
