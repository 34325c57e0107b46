package diarize_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/soundstage-dev/soundstage/diarize"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/stretchr/testify/require"
)

// word returns a word with start and end in milliseconds.
func word(text string, start, end int) transcript.Word {
	return transcript.Word{Text: text, Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond, Confidence: 1}
}

func turn(speaker, start, end int, confidence float64) transcript.Turn {
	return transcript.Turn{Speaker: speaker, Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond, Confidence: confidence}
}

func TestAssign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claim string
		words []transcript.Word
		turns []transcript.Turn
		want  []int

		language transcript.Language
	}{
		{
			claim: "A word gets the speaker whose turns it overlaps most.",
			words: []transcript.Word{word("One.", 0, 400), word("Two.", 900, 1300), word("Three.", 1300, 1700)},
			turns: []transcript.Turn{turn(0, 0, 1000, 1), turn(1, 1000, 2000, 1)},
			want:  []int{0, 1, 1},
		},
		{
			claim: "In a gap, before the first, and after the last turn, a word gets the nearest turn's speaker.",
			words: []transcript.Word{word("A.", 0, 100), word("B.", 2100, 2200), word("C.", 2800, 2900), word("D.", 9000, 9100)},
			turns: []transcript.Turn{turn(0, 1000, 2000, 1), turn(1, 3000, 4000, 1)},
			want:  []int{0, 0, 1, 1},
		},
		{
			claim: "In overlapped speech, a word gets the previous word's speaker.",
			words: []transcript.Word{word("Well", 3000, 3400), word("yes", 4100, 4400), word("and", 4400, 4700)},
			turns: []transcript.Turn{turn(0, 0, 6000, 1), turn(1, 2000, 3500, 1), turn(1, 4000, 5000, 1)},
			want:  []int{0, 0, 0},
		},
		{
			claim: "A small, uncertain minority without a pause goes to the sentence's majority.",
			words: []transcript.Word{word("I", 0, 300), word("really", 300, 900), word("think", 900, 1200), word("so.", 1200, 1500)},
			turns: []transcript.Turn{turn(0, 0, 1150, 0.9), turn(1, 1150, 1600, 0.6)},
			want:  []int{0, 0, 0, 0},
		},
		{
			claim: "A clear word, in a long turn of high confidence, keeps its speaker.",
			words: []transcript.Word{word("I", 0, 300), word("really", 300, 900), word("think", 900, 1200), word("so.", 1200, 1500)},
			turns: []transcript.Turn{turn(0, 0, 1150, 0.9), turn(1, 1150, 3000, 0.97)},
			want:  []int{0, 0, 0, 1},
		},
		{
			claim: "A minority that a pause sets off is an interjection and stays.",
			words: []transcript.Word{word("I", 0, 300), word("really", 300, 900), word("think", 900, 1200), word("what?", 1600, 1900)},
			turns: []transcript.Turn{turn(0, 0, 1250, 0.9), turn(1, 1550, 2000, 0.6)},
			want:  []int{0, 0, 0, 1},
		},
		{
			claim: "Neither half of a sentence is a mistake.",
			words: []transcript.Word{word("no", 0, 400), word("yes", 400, 800), word("no", 800, 1200), word("yes", 1200, 1600)},
			turns: []transcript.Turn{turn(0, 0, 800, 0.5), turn(1, 800, 1600, 0.5)},
			want:  []int{0, 0, 1, 1},
		},
		{
			claim: "Without turns, every word gets the first speaker.",
			words: []transcript.Word{word("Hello", 0, 400), word("there.", 400, 800)},
			want:  []int{0, 0},
		},
		{
			claim: "A German ordinal doesn't end the sentence whose majority counts.",
			words: []transcript.Word{word("Erst", 0, 400), word("am", 400, 700), word("3.", 700, 1100), word("Mai", 1100, 1400), word("kommt", 1400, 1900), word("er.", 1900, 2200)},
			turns: []transcript.Turn{turn(0, 0, 800, 0.6), turn(1, 800, 1100, 0.6), turn(0, 1100, 2300, 0.6)}, language: "de",
			want: []int{0, 0, 0, 0, 0, 0},
		},
		{claim: "No words, no speakers.", turns: []transcript.Turn{turn(0, 0, 800, 1)}},
	} {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			got := []int{}
			for _, w := range diarize.Assign(c.words, c.turns, c.language) {
				var n int
				_, err := fmt.Sscanf(w.Speaker, "Speaker %d", &n)
				require.NoError(t, err)
				got = append(got, n)
			}
			require.Equal(t, append([]int{}, c.want...), got)
			for _, w := range c.words {
				require.Empty(t, w.Speaker, "the caller's words must not change")
			}
		})
	}
}

// Speakers from a transcriber are kept.
func TestAssignKeepsSpeakers(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{word("Hi.", 0, 400), word("Hello.", 500, 900)}
	words[0].Speaker, words[1].Speaker = "Anna", "Ben"
	require.Equal(t, words, diarize.Assign(words, []transcript.Turn{turn(0, 0, 1000, 1)}, "en"))
}

// Paragraphs end at a change of speaker and at a long pause.
func TestUtterances(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{word("Good", 0, 300), word("morning.", 300, 700), word("Morning!", 900, 1300), word("So.", 4000, 4300)}
	turns := []transcript.Turn{turn(0, 0, 800, 1), turn(1, 850, 1400, 1), turn(1, 3900, 4400, 1)}
	var got []string
	for _, u := range diarize.Utterances(words, turns, "en") {
		got = append(got, u.Speaker+": "+u.Text)
	}
	require.Equal(t, []string{"Speaker 0: Good morning.", "Speaker 1: Morning!", "Speaker 1: So."}, got)
}

func ExampleAssign() {
	words := []transcript.Word{{Text: "Ready?", End: time.Second}, {Text: "Always.", Start: time.Second, End: 2 * time.Second}}
	turns := []transcript.Turn{{End: time.Second, Confidence: 1}, {Start: time.Second, End: 2 * time.Second, Speaker: 1, Confidence: 1}}
	for _, w := range diarize.Assign(words, turns, "en") {
		fmt.Println(w.Speaker, w.Text)
	}
	// Output:
	// Speaker 0 Ready?
	// Speaker 1 Always.
}
