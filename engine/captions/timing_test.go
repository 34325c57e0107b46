package captions

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Words without a time share the time between their neighbours by their width. Starts never decrease, and every word lasts.
func TestTimeWords(t *testing.T) {
	t.Parallel()
	type at [2]int
	for name, c := range map[string]struct {
		start, end int
		words      []at
		want       []at
	}{
		"timed":             {0, 100, []at{{0, 40}, {50, 90}}, []at{{0, 40}, {50, 90}}},
		"none is timed":     {100, 200, []at{{0, 0}, {0, 0}}, []at{{100, 150}, {150, 200}}},
		"one in the middle": {0, 100, []at{{0, 40}, {0, 0}, {80, 100}}, []at{{0, 40}, {40, 80}, {80, 100}}},
		"the first":         {10, 100, []at{{0, 0}, {60, 100}}, []at{{10, 60}, {60, 100}}},
		"the last":          {0, 100, []at{{0, 40}, {0, 0}}, []at{{0, 40}, {40, 100}}},
		"no room":           {0, 100, []at{{0, 50}, {0, 0}, {40, 60}}, []at{{0, 50}, {50, 51}, {50, 60}}},
		"decreasing":        {0, 100, []at{{50, 60}, {40, 45}}, []at{{50, 60}, {50, 51}}},
		"0 was not timed":   {1000, 1100, []at{{0, 900}, {1050, 1100}}, []at{{1000, 1050}, {1050, 1100}}},
		"0 in the first":    {0, 100, []at{{0, 100}}, []at{{0, 100}}},
		"0 until it begins": {1000, 1100, []at{{0, 1000}}, []at{{1000, 1100}}},
		"from 0 into it":    {1000, 1100, []at{{0, 1001}}, []at{{0, 1001}}},
	} {
		var words []transcript.Word
		for _, w := range c.words {
			words = append(words, transcript.Word{Text: "word", Start: time.Duration(w[0]) * ms, End: time.Duration(w[1]) * ms})
		}
		timeWords(words, time.Duration(c.start)*ms, time.Duration(c.end)*ms)
		var got []at
		for _, w := range words {
			got = append(got, at{int(w.Start / ms), int(w.End / ms)})
		}
		require.Equal(t, c.want, got, name)
	}
	words := []transcript.Word{{Text: "日本"}, {Text: "a"}} // 4 and 1 columns, and 1 each for the space
	spread(words, 0, 70*ms)
	require.Equal(t, []time.Duration{0, 50 * ms, 50 * ms, 70 * ms}, []time.Duration{words[0].Start, words[0].End, words[1].Start, words[1].End})
}

// A cue stays after its last word, but leaves a gap before the next one. Short gaps are closed.
func TestLengthen(t *testing.T) {
	t.Parallel()
	o := Options{Linger: 500 * ms, CloseGap: 700 * ms, Gap: 100 * ms}
	for gap, want := range map[time.Duration]time.Duration{ // to the next cue; how much longer
		200: 100, 600: 500, 699: 599, 700: 0, 701: 1, 1000: 300, 1200: 500, 5000: 500,
	} {
		require.Equal(t, want*ms, lengthen(time.Second, time.Second+gap*ms, o)-time.Second, "%d ms", gap)
	}
	o.CloseGap = 0
	require.Equal(t, 500*ms, lengthen(0, 601*ms, o))
	require.Equal(t, 499*ms, lengthen(0, 599*ms, o))
}

// Ends are set from the last cue to the first: linger, minimum and maximum duration, the gap, and the end of the media.
func TestSetEnds(t *testing.T) {
	t.Parallel()
	type at struct {
		start, end time.Duration
		label      string
	}
	o := Options{MinDuration: 800 * ms, MaxDuration: 3 * time.Second, Linger: 500 * ms, CloseGap: 400 * ms, Gap: 100 * ms}
	for name, c := range map[string]struct {
		media time.Duration
		cues  []at
		want  []time.Duration
	}{
		"lingers":                {0, []at{{0, 1000, ""}}, []time.Duration{1500}},
		"the media ends":         {1200, []at{{0, 1000, ""}}, []time.Duration{1200}},
		"media ends before":      {900, []at{{0, 1000, ""}}, []time.Duration{900}},
		"at least":               {0, []at{{0, 100, ""}}, []time.Duration{800}},
		"at most":                {0, []at{{0, 5000, ""}}, []time.Duration{3000}},
		"far from the next":      {0, []at{{0, 1000, ""}, {4000, 5000, ""}}, []time.Duration{1500, 5500}},
		"near the next":          {0, []at{{0, 1000, ""}, {1300, 2300, ""}}, []time.Duration{1200, 2800}},
		"no room for the least":  {0, []at{{0, 100, ""}, {500, 1500, ""}}, []time.Duration{400, 2000}},
		"room just for it":       {0, []at{{0, 100, ""}, {1000, 2000, ""}}, []time.Duration{900, 2500}},
		"a gap of half":          {0, []at{{0, 100, ""}, {100, 1100, ""}}, []time.Duration{50, 1600}},
		"another speaker":        {0, []at{{0, 1000, "A"}, {500, 1500, "B"}}, []time.Duration{1000, 2000}},
		"interrupted":            {0, []at{{0, 900, "A"}, {500, 1500, "B"}, {1000, 2000, "A"}}, []time.Duration{900, 1500, 2500}},
		"whole milliseconds":     {0, []at{{0, 1000, ""}, {2000, 2001, ""}}, []time.Duration{1500, 2800}},
		"media before the start": {1000, []at{{2000, 3000, ""}}, []time.Duration{2001}},
	} {
		var cues []Cue
		for _, x := range c.cues {
			cues = append(cues, Cue{Start: x.start * ms, End: x.end * ms, Label: x.label})
		}
		setEnds(cues, c.media*ms, o)
		var got []time.Duration
		for _, x := range cues {
			got = append(got, x.End/ms)
		}
		require.Equal(t, c.want, got, name)
	}
}

// The cues of one speaker begin one after another and don't overlap. Those of others may.
func TestSeparate(t *testing.T) {
	t.Parallel()
	cues := []Cue{{Start: 0, End: 100 * ms, Label: "A"}, {Start: 0, End: 50 * ms, Label: "A"}, {Start: 0, End: 50 * ms, Label: "B"}, {Start: 20 * ms, End: 10 * ms, Label: "B"}}
	separate(cues)
	require.Equal(t, []Cue{
		{Start: 0, End: 2 * ms, Label: "A"}, {Start: 2 * ms, End: 50 * ms, Label: "A"}, {Start: 0, End: 20 * ms, Label: "B"}, {Start: 20 * ms, End: 21 * ms, Label: "B"},
	}, cues)
}

// Prepare cleans everything: names, labels, texts, times, and confidences. Empty utterances go, and the rest is in order.
func TestPrepare(t *testing.T) {
	t.Parallel()
	word := transcript.Word{Text: " b\n", Start: 1_400_400, End: 9 * time.Millisecond, Confidence: 7, Speaker: "\x00S"}
	got := Prepare(transcript.Transcript{Language: "en", Duration: 20*ms + 999_999, Utterances: []transcript.Utterance{
		{Speaker: " A ", Text: "", Words: []transcript.Word{word, {Text: " "}}, Start: 1 * ms, Confidence: 0.99999},
		{Speaker: "B", Text: " first ", Start: -5 * ms, End: -7 * ms},
		{Speaker: "B", Text: "\n"},
	}}, map[string]string{"A": "Ada\tL.", " B": " "}, true)
	require.Equal(t, Script{Language: "en", Duration: 20 * ms, Utterances: []Utterance{
		{Label: "B", Name: "B", Text: "first", Start: 0, End: 1 * ms, Words: []transcript.Word{}},
		{Label: "A", Name: "Ada L.", Text: "b", Start: 1 * ms, End: 9 * ms, Confidence: 1, Words: []transcript.Word{{Text: "b", Start: 1 * ms, End: 9 * ms, Confidence: 1, Speaker: "S"}}},
	}}, got)
	plain := Prepare(transcript.Transcript{Utterances: []transcript.Utterance{{Text: "a", Words: []transcript.Word{word}}}}, nil, false)
	require.Nil(t, plain.Utterances[0].Words, "only the text was requested")
	require.Equal(t, 9*ms, plain.Utterances[0].End, "the end of the words")
	require.Equal(t, []time.Duration{0, 0, 2 * ms, MaxTime}, []time.Duration{cleanTime(-1), cleanTime(499_999), cleanTime(1_500_000), cleanTime(MaxTime + 1)})
}
