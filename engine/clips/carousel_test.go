package clips

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// A carousel has three to six points of one speaker: closed sentences, not too long, no questions. Its score rises with quotes and with
// sentences that count or have numbers.
func TestCarousels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sentences int
		change    func(*scorer)
		to        int // of the carousel from the first sentence; 0 for none
		score     float64
	}{
		"two":              {2, nil, 0, 0},
		"three":            {3, nil, 3, 40},
		"six of seven":     {7, func(s *scorer) { s.quotable[3], s.quotable[4], s.quotable[5], s.quotable[6] = 1, 1, 1, 1 }, 6, 20 + 40*4.5/6},
		"equal scores":     {4, nil, 3, 40},
		"not the first":    {9, func(s *scorer) { s.sentences[0].Question, s.numbers[6] = true, true }, 7, 40 + 40.0/6},
		"a question":       {3, func(s *scorer) { s.sentences[2].Question = true }, 0, 0},
		"unclosed":         {3, func(s *scorer) { s.sentences[2].Closed = false }, 0, 0},
		"another speaker":  {3, func(s *scorer) { s.sentences[2].Speaker = "B" }, 0, 0},
		"250 characters":   {3, func(s *scorer) { s.sentences[2].Text = strings.Repeat("ä", 250) }, 3, 40},
		"251 characters":   {3, func(s *scorer) { s.sentences[2].Text = strings.Repeat("ä", 251) }, 0, 0},
		"a number":         {3, func(s *scorer) { s.numbers[1] = true }, 3, 40 + 40.0/3},
		"counting":         {3, func(s *scorer) { s.sentences[1].Text = "Second, it stays." }, 3, 40 + 40.0/3},
		"refers back":      {3, func(s *scorer) { s.leans[0] = true }, 3, 28},
		"later refers":     {3, func(s *scorer) { s.leans[1] = true }, 3, 40},
		"at most 100":      {3, func(s *scorer) { s.quotable, s.numbers = []float64{2, 2, 2}, []bool{true, true, true} }, 3, 100},
		"nothing but base": {3, func(s *scorer) { s.quotable = []float64{0, 0, 0} }, 3, 20},
		"shorter is best":  {4, func(s *scorer) { s.quotable[3] = 0 }, 3, 40},
	} {
		s := plainScorer(repeated(c.sentences)...)
		if c.change != nil {
			c.change(s)
		}
		all := s.carousels()
		if c.to == 0 {
			require.Empty(t, all, name)
			continue
		}
		from := 0
		if s.sentences[0].Question {
			from = 1
		}
		require.Equal(t, from, all[0].from, name)
		require.Equal(t, c.to, all[0].to, name)
		require.InDelta(t, c.score, all[0].score, 1e-9, name)
		require.Equal(t, transcript.Window{Start: time.Duration(from) * 5 * time.Second, End: time.Duration(c.to) * 5 * time.Second}, all[0].window, name)
	}
}

// A window is moved to whole sentences, and is shortened or lengthened to 15 to 90 s.
func TestSnapToSentences(t *testing.T) {
	t.Parallel()
	second := func(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
	for name, c := range map[string]struct {
		lengths    []float64 // of the sentences, in seconds
		start, end float64
		from, to   int
		ok         bool
	}{
		"touches":                {[]float64{5, 5, 5, 5, 5}, 5, 20, 1, 4, true},
		"parts":                  {[]float64{5, 5, 5, 5, 5}, 9.9, 15.1, 1, 4, true},
		"lengthened at the end":  {[]float64{5, 5, 5, 5, 5, 5}, 6, 7, 1, 4, true},
		"at the beginning":       {[]float64{5, 5, 5, 5, 5, 5}, 26, 27, 3, 6, true},
		"to both sides":          {[]float64{5, 5, 5, 5}, 16, 17, 1, 4, true},
		"shortened":              {[]float64{30, 30, 30, 1, 30}, 0, 121, 0, 3, true},
		"one is too long":        {[]float64{90.5, 30}, 0, 10, 0, 1, false},
		"one is 90 s":            {[]float64{90, 30}, 0, 10, 0, 1, true},
		"the next is too long":   {[]float64{10, 80.5}, 0, 5, 0, 1, false},
		"the next fits":          {[]float64{10, 80}, 0, 5, 0, 2, true},
		"the last is too long":   {[]float64{80.5, 10}, 85, 90, 1, 2, false},
		"the one before fits":    {[]float64{80, 10}, 85, 90, 0, 2, true},
		"a short recording":      {[]float64{5, 5}, 1, 2, 0, 2, true},
		"after the last":         {[]float64{5, 5, 5}, 15, 20, 0, 0, false},
		"one before is too long": {[]float64{86, 5, 5}, 92, 93, 1, 3, false},
	} {
		s, at := &scorer{}, 0.0
		for _, n := range c.lengths {
			s.sentences = append(s.sentences, transcript.Sentence{Start: second(at), End: second(at + n)})
			at += n
		}
		from, to, ok := s.snap(transcript.Window{Start: second(c.start), End: second(c.end)})
		require.Equal(t, []any{c.from, c.to, c.ok}, []any{from, to, ok}, name)
	}
}

// The length of sentences ends with the last word, also if an earlier sentence has it.
func TestLength(t *testing.T) {
	t.Parallel()
	s := plainScorer(repeated(3)...)
	s.sentences[1].End = 20 * time.Second
	require.Equal(t, 15*time.Second, s.length(1, 3))
	require.Equal(t, 5*time.Second, s.length(0, 1))
}

// A window that ends where the first sentence begins touches nothing.
func TestSnapBeforeSpeech(t *testing.T) {
	t.Parallel()
	s := &scorer{sentences: []transcript.Sentence{{Start: 5 * time.Second, End: 25 * time.Second}}}
	_, _, ok := s.snap(transcript.Window{End: 5 * time.Second})
	require.False(t, ok)
	_, _, ok = s.snap(transcript.Window{End: 5*time.Second + 1})
	require.True(t, ok)
}

// A window may end up to a second after the media. If the media's duration is unknown, any end will do.
func TestCheckClipBounds(t *testing.T) {
	t.Parallel()
	s := plainScorer(repeated(6)...)
	for name, c := range map[string]struct {
		start, end, media time.Duration
		want              bool
	}{
		"at the beginning":      {0, 20 * time.Second, 30 * time.Second, true},
		"a second late":         {0, 31 * time.Second, 30 * time.Second, true},
		"later":                 {0, 31*time.Second + 1, 30 * time.Second, false},
		"unknown duration":      {0, 40 * time.Second, 0, true},
		"empty":                 {5 * time.Second, 5 * time.Second, 30 * time.Second, false},
		"negative":              {-1, 20 * time.Second, 30 * time.Second, false},
		"negative and too late": {-1, 40 * time.Second, 30 * time.Second, false},
	} {
		_, ok := s.checkClip(transcript.Transcript{Duration: c.media}, Suggestion{Window: transcript.Window{Start: c.start, End: c.end}}, nil)
		require.Equal(t, c.want, ok, name)
	}
}

// Check returns at most ten clips and two carousels.
func TestCheckLimits(t *testing.T) {
	t.Parallel()
	words := sample.Dialogue(strings.Repeat("A: "+strings.Repeat("word ", 48)+"end.\n", 12)) // 12 sentences of about 20 s
	tr := transcript.Transcript{Language: "en", Utterances: transcript.BuildUtterances(words, "en")}
	var suggested []Suggestion
	for _, x := range transcript.Sentences(tr) {
		suggested = append(suggested, Suggestion{Title: "Clip", Window: transcript.Window{Start: x.Start, End: x.End}}, Suggestion{Kind: KindCarousel, Excerpt: "word end."})
	}
	kinds := map[Kind]int{}
	for _, x := range Check(tr, suggested) {
		kinds[x.Kind]++
	}
	require.Equal(t, map[Kind]int{KindClip: 10, KindCarousel: 2}, kinds)
}

// A clip has at most 200 sentences.
func TestMostSentences(t *testing.T) {
	t.Parallel()
	for length, want := range map[time.Duration]int{75 * time.Millisecond: 2, 74900 * time.Microsecond: 0} { // 200 take 15 s, and less
		s := plainScorer(repeated(201)...)
		for i := range s.sentences {
			s.sentences[i].Start, s.sentences[i].End = time.Duration(i)*length, time.Duration(i+1)*length
		}
		s.amid = transcript.MidSentence(s.sentences)
		require.Len(t, s.clips(0), want, length)
	}
}
