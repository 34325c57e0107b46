package transcript_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Tidy words are lines of text inside the media, at least 1 ms long, in order, with a confidence from 0 to 1. Empty ones are dropped.
func TestTidyWords(t *testing.T) {
	t.Parallel()
	const media = 10*time.Second + 900*time.Microsecond
	at := func(start, end time.Duration) transcript.Word {
		return transcript.Word{Text: "a", Start: start, End: end, Confidence: 0.5}
	}
	for name, c := range map[string]struct {
		in         transcript.Word
		start, end time.Duration
	}{
		"as it is":       {at(1*ms, 2*ms), 1 * ms, 2 * ms},
		"rounded":        {at(1499*time.Microsecond, 2500*time.Microsecond), 1 * ms, 3 * ms},
		"negative":       {at(-5*ms, 2*ms), 0, 2 * ms},
		"no length":      {at(5*ms, 5*ms), 5 * ms, 6 * ms},
		"backwards":      {at(5*ms, 2*ms), 5 * ms, 6 * ms},
		"too late":       {at(9000*ms, 10_001*ms), 9000 * ms, 10_000 * ms},
		"after the end":  {at(11_000*ms, 12_000*ms), 9999 * ms, 10_000 * ms},
		"before the end": {at(9999*ms, 10_000*ms), 9999 * ms, 10_000 * ms},
	} {
		got := transcript.TidyWords([]transcript.Word{c.in}, media)
		require.Equal(t, []transcript.Word{{Text: "a", Start: c.start, End: c.end, Confidence: 0.5}}, got, name)
	}
	for in, want := range map[float64]float64{-1: 0, 0: 0, 0.3: 0.3, 1: 1, 2: 1, math.NaN(): 0, math.Inf(1): 1} {
		require.InDelta(t, want, transcript.TidyWords([]transcript.Word{{Text: "a", Confidence: in}}, media)[0].Confidence, 0, in)
	}
	words := []transcript.Word{said("", "b", 5, 6), said("", "\x00 \n", 1, 2), said("", "a\x07\xff \t c\ufeff", 1, 2), said("", "d", 5, 7)}
	got := transcript.TidyWords(words, media)
	require.Equal(t, []string{"a\ufffd c", "b", "d"}, []string{got[0].Text, got[1].Text, got[2].Text})
	require.Len(t, got, 3)
	got = transcript.TidyWords([]transcript.Word{said("", "a", 5, 9)}, 0)
	require.Equal(t, []time.Duration{0, ms}, []time.Duration{got[0].Start, got[0].End}, "media without a duration")
}

// White space becomes one blank; control characters and byte order marks vanish; no-break spaces stay.
func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" a\r\n\tb ": "a b", "a\u2028b\u0085c": "a b c", "a\u00a0b\u202fc": "a\u00a0b\u202fc", "a\x00b\ufeffc": "abc", "": "", "\n": "",
	} {
		require.Equal(t, want, transcript.OneLine(in), "%q", in)
	}
}

// A word belongs to the speaker whose turn it shares most time with, or else to the nearest turn. Of equal turns, the first wins.
// Second turns don't count.
func TestAssignSpeakers(t *testing.T) {
	t.Parallel()
	turn := func(speaker, start, end int) transcript.Turn {
		return transcript.Turn{Speaker: speaker, Start: time.Duration(start) * ms, End: time.Duration(end) * ms}
	}
	turns := []transcript.Turn{{Speaker: 2, End: 30 * ms, Second: true}, turn(0, 0, 100), turn(1, 90, 200), turn(2, 400, 500)}
	for name, c := range map[string]struct {
		start, end int
		want       string
	}{
		"over a second":   {-5, 3, "Speaker 0"},
		"inside":          {10, 20, "Speaker 0"},
		"more of another": {80, 120, "Speaker 1"},
		"more of this":    {60, 105, "Speaker 0"},
		"equal":           {80, 110, "Speaker 0"},
		"nearer before":   {250, 280, "Speaker 1"},
		"nearer after":    {330, 380, "Speaker 2"},
		"last":            {900, 950, "Speaker 2"},
	} {
		got := transcript.AssignSpeakers([]transcript.Word{said("", "a", c.start, c.end)}, turns)
		require.Equal(t, c.want, got[0].Speaker, name)
	}
	require.Equal(t, "Speaker 0", transcript.AssignSpeakers([]transcript.Word{{}}, nil)[0].Speaker, "no turns")
}

func speakers(words []transcript.Word) (all []string) {
	for _, w := range words {
		all = append(all, w.Speaker)
	}
	return all
}

// A word without a speaker gets that of the word before it; the first words get that of the first that has one.
func TestFillSpeakers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want []string }{
		{[]string{"", "a", "", "b", "", ""}, []string{"a", "a", "a", "b", "b", "b"}},
		{[]string{"a", "", "b"}, []string{"a", "a", "b"}},
		{[]string{"", ""}, []string{"", ""}},
		{nil, nil},
	} {
		var words []transcript.Word
		for _, s := range c.in {
			words = append(words, transcript.Word{Speaker: s})
		}
		transcript.FillSpeakers(words)
		require.Equal(t, c.want, speakers(words))
	}
}

// Speakers are numbered in the order in which they speak.
func TestRelabel(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{{Speaker: "spk_7"}, {Speaker: ""}, {Speaker: "spk_7"}, {Speaker: "spk_1"}}
	transcript.Relabel(words)
	require.Equal(t, []string{"Speaker 0", "Speaker 1", "Speaker 0", "Speaker 2"}, speakers(words))
}

// An utterance ends after exactly 60 s at a sentence end, and after exactly 90 s anywhere. Its confidence has three decimals.
func TestUtteranceLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		end  int
		want int
	}{
		"60 s at a sentence end":     {"so.", 60_000, 1},
		"over 60 s":                  {"so.", 60_001, 2},
		"over 60 s inside of one":    {"a", 60_001, 1},
		"90 s inside of one":         {"a", 90_000, 1},
		"over 90 s":                  {"a", 90_001, 2},
		"a sentence end in brackets": {"so.”)", 60_001, 2},
		"over 60 s after a title":    {"Dr.", 60_001, 1},
	} {
		words := []transcript.Word{said("", c.text, 0, 59_000), said("", "b", 59_000, c.end)}
		words[0].Confidence, words[1].Confidence = 0.1, 0.2004
		got := transcript.BuildUtterances(words, "en")
		require.Len(t, got, c.want, name)
		if c.want == 1 {
			require.InDelta(t, 0.15, got[0].Confidence, 1e-9, name)
		}
	}
	require.Equal(t, "a[1s–2s]", said("", "a", 1000, 2000).String())
}
