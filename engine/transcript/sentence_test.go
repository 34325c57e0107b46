package transcript_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Sentences end with a sentence mark, or with their utterance. Each knows its place in the utterance, its speaker, and its times.
func TestSentences(t *testing.T) {
	t.Parallel()
	words := []transcript.Word{
		said("Speaker 0", "Is", 0, 300), said("Speaker 0", "it?", 400, 900), said("Speaker 0", "It", 1000, 1900), said("Speaker 0", "is.", 1200, 1500),
		said("Speaker 0", "And", 1600, 1700), said("Speaker 0", "so", 1700, 1800), said("Speaker 1", "No", 2000, 2100),
	}
	type fact struct {
		speaker, text                    string
		start, end                       int
		opens, closes, closed, questions bool
	}
	var got []fact
	all := transcript.Sentences(transcript.Transcript{Language: "en", Utterances: transcript.BuildUtterances(words, "en")})
	for _, s := range all {
		got = append(got, fact{s.Speaker, s.Text, int(s.Start / ms), int(s.End / ms), s.Opens, s.Closes, s.Closed, s.Question})
	}
	require.Equal(t, []fact{
		{"Speaker 0", "Is it?", 0, 900, true, false, true, true},
		{"Speaker 0", "It is.", 1000, 1900, false, false, true, false},
		{"Speaker 0", "And so", 1600, 1800, false, true, false, false},
		{"Speaker 1", "No", 2000, 2100, true, true, false, false},
	}, got)
	require.Equal(t, "It is. And so", transcript.TextOf(all[1:3], "en"))
}

// A title, an initial, or an ordinal ends no sentence.
func TestSentencesKeepNames(t *testing.T) {
	t.Parallel()
	for l, text := range map[transcript.Language]string{"en": "Dr. J. R. Okonkwo left the U.S. on Jan. 5.", "de": "Am 3. Mai kam Prof. Dr. Weber.", "fr": "M. Dupont dort."} {
		var u transcript.Utterance
		for w := range strings.FieldsSeq(text) {
			u.Words = append(u.Words, transcript.Word{Text: w})
		}
		all := transcript.Sentences(transcript.Transcript{Language: l, Utterances: []transcript.Utterance{u}})
		require.Len(t, all, 1, text)
		require.True(t, all[0].Closed)
	}
}

// A question ends with a question mark, perhaps inside quotes or brackets, or with the Japanese particle.
func TestQuestions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"So?": true, "So？": true, "«So?»": true, "(So?)": true, "「そう？」": true, "そうですか。": true, "か": false, "So.": false, "So?!": false, "?So": false,
	} {
		all := transcript.Sentences(transcript.Transcript{Utterances: []transcript.Utterance{{Words: []transcript.Word{{Text: text}}}}})
		require.Len(t, all, 1)
		require.Equal(t, want, all[0].Question, text)
	}
}

// A token is four bytes, or one character of Chinese, Japanese, or Korean. A started token counts.
func TestEstimateTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "a": 1, "abcd": 1, "abcde": 2, "äöüß": 2, "äöüßa": 3, "€": 1, "€€": 2, "€€€": 3, "日本語": 3, "日本語abcd": 4, "a日b本c語d": 4, "한국": 2, "ー": 1,
		"\u1100\u1100\u1100\u1100\u1100": 5, "\u10ff\u10ff\u10ff\u10ff\u10ff": 4, "\xff\xff\xff\xff": 1,
	} {
		require.Equal(t, want, transcript.EstimateTokens(text), "%q", text)
	}
}

// The ideographs are the letters and numbers of the East Asian scripts, and the mark for long vowels.
func TestIdeographs(t *testing.T) {
	t.Parallel()
	count := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		want := r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && (unicode.IsLetter(r) || unicode.IsNumber(r))
		if transcript.IsIdeographic(r) != want {
			t.Errorf("%U: want %t", r, want)
		}
		if want {
			count++
		}
	}
	require.Greater(t, count, 90_000)
	for r, want := range map[rune]bool{'a': true, '1': true, '\u0301': true, '日': true, ' ': false, '.': false} {
		require.Equal(t, want, transcript.IsWordRune(r), string(r))
	}
	require.True(t, transcript.HasControl("a\nb"))
	require.False(t, transcript.HasControl("a b"))
}

// Labels are sorted by number; labels that are not ours come last, by name.
func TestLabels(t *testing.T) {
	t.Parallel()
	var tr transcript.Transcript
	for _, label := range []string{"Zoe", "Speaker 10", "Speaker 2", "Ada", "Speaker 2", "Speaker 0"} {
		tr.Utterances = append(tr.Utterances, transcript.Utterance{Speaker: label, Words: []transcript.Word{{Text: label}}})
	}
	require.Equal(t, []string{"Speaker 0", "Speaker 2", "Speaker 10", "Ada", "Zoe"}, tr.Labels())
	require.Len(t, tr.Words(), 6)
	require.Equal(t, "Zoe", tr.Words()[0].Text)
	require.Empty(t, transcript.Transcript{}.Labels())
}

// TimeAt returns the start of the word at a place of an utterance's text. Words that the text lacks are skipped.
func TestTimeAt(t *testing.T) {
	t.Parallel()
	u := transcript.Utterance{
		Text: "one two one", Start: 100 * ms,
		Words: []transcript.Word{said("", "one", 200, 300), said("", "lost", 300, 350), said("", "two", 400, 500), said("", "one", 600, 700)},
	}
	for at, want := range map[int]time.Duration{0: 200, 3: 200, 4: 400, 7: 400, 8: 600, 100: 600} {
		require.Equal(t, want*ms, u.TimeAt(at), at)
	}
	u.Text = " one"
	require.Equal(t, 100*ms, u.TimeAt(0), "before the first word")
}

// BenchmarkSentences measures a transcript of 3 h, 30,000 words, every tenth with a full stop.
func BenchmarkSentences(b *testing.B) {
	texts := strings.Fields("And so we met Dr. Smith in the old town again, because it was late. He said that he would come back on the third day of the month.")
	var words []transcript.Word
	for i := range 30_000 {
		start := time.Duration(i) * 360 * ms
		words = append(words, transcript.Word{Speaker: "Speaker 0", Text: texts[i%len(texts)], Start: start, End: start + 300*ms})
	}
	for b.Loop() {
		t := transcript.Transcript{Language: "en", Utterances: transcript.BuildUtterances(words, "en")}
		if len(transcript.Sentences(t)) < 1000 {
			b.Fatal("too few sentences")
		}
	}
}
