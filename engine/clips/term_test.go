package clips

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// plainScorer returns the scorer of closed sentences of one speaker, each 5 s long and of average density, half as quotable as possible.
func plainScorer(texts ...string) *scorer {
	s := &scorer{language: "en"}
	for i, text := range texts {
		s.sentences = append(s.sentences, transcript.Sentence{
			Speaker: "A", Text: text, Closed: true, Start: time.Duration(i) * 5 * time.Second, End: time.Duration(i+1) * 5 * time.Second,
		})
		s.density, s.terms = append(s.density, 1), append(s.terms, 1)
		s.quotable, s.numbers, s.leans = append(s.quotable, 0.5), append(s.numbers, false), append(s.leans, false)
	}
	s.amid = transcript.MidSentence(s.sentences)
	return s
}

func repeated(n int) []string {
	return strings.Split(strings.TrimSpace(strings.Repeat("A plain sentence.\n", n)), "\n")
}

// The density of a sentence is the mean weight of its search terms, relative to the recording. A term weighs more if it is frequent, and if
// it is in few sentences.
func TestDensity(t *testing.T) {
	t.Parallel()
	words := sample.Dialogue("A: Granite granite. The sea. The wind 9.")
	s := newScorer(transcript.Transcript{Language: "en", Utterances: transcript.BuildUtterances(words, "en")})
	weight := func(often, within float64) float64 { return math.Log1p(often) * math.Log(4/within) }
	first, second, third := 2*weight(2, 1), weight(2, 2)+weight(1, 1), weight(2, 2)+2*weight(1, 1)
	mean := (first + second + third) / 7
	require.Equal(t, []int{2, 2, 3}, s.terms)
	require.InDeltaSlice(t, []float64{first / 2 / mean, second / 2 / mean, third / 3 / mean}, s.density, 1e-9)
	require.Equal(t, []bool{false, false, true}, s.numbers)
}

// Each fact about the ends of a clip adds or subtracts its own score.
func TestEdges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(first, last *transcript.Sentence, s *scorer)
		want   float64
	}{
		"plain":                    {func(_, _ *transcript.Sentence, _ *scorer) {}, 0},
		"begins a turn":            {func(first, _ *transcript.Sentence, _ *scorer) { first.Opens = true }, 8},
		"ends a turn":              {func(_, last *transcript.Sentence, _ *scorer) { last.Closes = true }, 7},
		"question of another":      {func(first, _ *transcript.Sentence, _ *scorer) { first.Question, first.Speaker = true, "B" }, 8},
		"question of the same":     {func(first, _ *transcript.Sentence, _ *scorer) { first.Question = true }, 0},
		"no question":              {func(first, _ *transcript.Sentence, _ *scorer) { first.Speaker = "B" }, 0},
		"refers back":              {func(_, _ *transcript.Sentence, s *scorer) { s.leans[0] = true }, -12},
		"a later one refers back":  {func(_, _ *transcript.Sentence, s *scorer) { s.leans[1] = true }, 0},
		"ends with a question":     {func(_, last *transcript.Sentence, _ *scorer) { last.Question = true }, -15},
		"ends inside a sentence":   {func(_, last *transcript.Sentence, _ *scorer) { last.Closed = false }, -10},
		"unclosed at a turn's end": {func(_, last *transcript.Sentence, _ *scorer) { last.Closed, last.Closes = false, true }, -10},
		"all that is good together": {func(first, last *transcript.Sentence, _ *scorer) {
			first.Question, first.Speaker, first.Opens, last.Closes = true, "B", true, true
		}, 23},
	} {
		s := plainScorer(repeated(3)...)
		c.change(&s.sentences[0], &s.sentences[2], s)
		require.InDelta(t, c.want, s.edges(0, 3), 1e-9, name)
	}
	s := plainScorer(repeated(1)...)
	s.sentences[0].Question = true
	require.InDelta(t, -15, s.edges(0, 1), 1e-9, "a question alone has no answer")
}

// Density, the best quote, numbers, length, and silence each change the score of a clip.
func TestRate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seconds, spoken, dense, quotable float64
		numbers                          bool
		want                             float64
	}{
		"average":           {40, 40, 1, 0, false, 35 + 12.5 + 8},
		"sparse":            {40, 40, 0.7, 0, false, 35 + 8},
		"sparser":           {40, 40, 0.2, 0, false, 35 + 8},
		"dense":             {40, 40, 1.3, 0, false, 35 + 25 + 8},
		"denser":            {40, 40, 9, 0, false, 35 + 25 + 8},
		"a quote":           {40, 40, 0.7, 0.5, false, 35 + 6 + 8},
		"a number":          {40, 40, 0.7, 0, true, 35 + 5 + 8},
		"10 s":              {10, 10, 0.7, 0, false, 35},
		"15 s":              {15, 15, 0.7, 0, false, 35 + 4},
		"20 s":              {20, 20, 0.7, 0, false, 35 + 8},
		"60 s":              {60, 60, 0.7, 0, false, 35 + 8},
		"80 s":              {80, 80, 0.7, 0, false, 35 + 4},
		"100 s":             {100, 100, 0.7, 0, false, 35},
		"a tenth is silent": {40, 36, 0.7, 0, false, 35 + 8},
		"28 % is silent":    {40, 28.8, 0.7, 0, false, 35 + 8 - 4},
		"half is silent":    {40, 20, 0.7, 0, false, 35 + 8 - 20*4.0/9},
		"more is silent":    {40, 19.9, 0.7, 0, false, -1},
		"nothing":           {0, 0, 0.7, 0, false, -1},
	} {
		seconds := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
		s := plainScorer(repeated(3)...)
		clip := tally{
			scored: scored{from: 0, to: 3, window: transcript.Window{Start: time.Second, End: time.Second + seconds(c.seconds)}},
			spoken: seconds(c.spoken), dense: c.dense * 7, terms: 7, quotable: c.quotable, numbers: c.numbers,
		}
		clip.rate(s)
		require.InDelta(t, c.want, clip.score, 1e-6, name)
	}
}

// A range adds up its sentences. Time in which two sentences overlap counts once.
func TestTally(t *testing.T) {
	t.Parallel()
	s := plainScorer(repeated(3)...)
	s.density, s.terms, s.quotable, s.numbers = []float64{1, 2, 3}, []int{4, 5, 6}, []float64{0.1, 0.9, 0.2}, []bool{false, true, false}
	s.sentences[1].Start = 3 * time.Second
	s.sentences[2].Start, s.sentences[2].End = 8*time.Second, 9*time.Second // inside the second
	clip := s.begin(0)
	for i := range s.sentences {
		clip.add(s, i)
	}
	require.Equal(t, transcript.Window{Start: 0, End: 10 * time.Second}, clip.window)
	require.Equal(t, 10*time.Second, clip.spoken)
	require.Equal(t, 3, clip.to)
	require.InDelta(t, 4+10+18, clip.dense, 1e-9)
	require.Equal(t, 15, clip.terms)
	require.InDelta(t, 0.9, clip.quotable, 1e-9)
	require.True(t, clip.numbers)
	require.Equal(t, scored{}, s.stretch(1, 1))
}

// A sentence is quotable if it is dense, of a fitting length, complete, no question, and stands alone.
func TestQuotability(t *testing.T) {
	t.Parallel()
	tokens := func(n int) string { return strings.Repeat("a", 4*n) }
	for name, c := range map[string]struct {
		text    string
		density float64
		change  func(*transcript.Sentence)
		leans   bool
		want    float64
	}{
		"shortest":    {tokens(8), 1.5, nil, false, 1},
		"longest":     {tokens(30), 1.5, nil, false, 1},
		"too short":   {tokens(7), 1.5, nil, false, 0.3},
		"too long":    {tokens(31), 1.5, nil, false, 0.3},
		"average":     {tokens(10), 1, nil, false, 1 / 1.5},
		"dense":       {tokens(10), 3, nil, false, 1},
		"refers back": {tokens(10), 1.5, nil, true, 0.6},
		"unclosed":    {tokens(10), 1.5, func(x *transcript.Sentence) { x.Closed = false }, false, 0.3},
		"question":    {tokens(10), 1.5, func(x *transcript.Sentence) { x.Question = true }, false, 0.3},
	} {
		s := plainScorer(c.text)
		s.density[0], s.leans[0] = c.density, c.leans
		if c.change != nil {
			c.change(&s.sentences[0])
		}
		require.InDelta(t, c.want, s.quotability(0), 1e-9, name)
	}
}

// Ranges are chosen by score, then by order, up to a number, and never overlap. Ranges that only touch don't overlap.
func TestWithoutOverlap(t *testing.T) {
	t.Parallel()
	at := func(from int, score float64) scored {
		return scored{from: from, score: score, window: transcript.Window{Start: time.Duration(from) * time.Second, End: time.Duration(from+10) * time.Second}}
	}
	all := []scored{at(50, 1), at(20, 5), at(10, 5), at(29, 9), at(30, 4)}
	require.Equal(t, []scored{at(29, 9), at(10, 5), at(50, 1)}, withoutOverlap(all, 3))
	require.Equal(t, []scored{at(29, 9), at(10, 5)}, withoutOverlap(all, 2))
}
