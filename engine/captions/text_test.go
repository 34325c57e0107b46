package captions

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const ms = time.Millisecond

// The defaults are those of the style guides. Set fields stay; a negative duration means none.
func TestDefaults(t *testing.T) {
	t.Parallel()
	base := Options{
		Columns: 42, Lines: 2, ReadingSpeed: 17, MinDuration: 834 * ms, MaxDuration: 7 * time.Second, MaxPause: 1500 * ms,
		Linger: 500 * ms, CloseGap: 500 * ms, Gap: 84 * ms,
	}
	for language, c := range map[transcript.Language]struct {
		columns int
		speed   float64
	}{"en": {42, 20}, "de": {42, 17}, "": {42, 17}, "ja": {26, 4}, "ko": {32, 12}, "zh": {32, 9}} {
		want := base
		want.Columns, want.ReadingSpeed = c.columns, c.speed
		require.Equal(t, want, Options{}.WithDefaults(language), language)
		require.Equal(t, want, Options{Columns: -1, Lines: -1, ReadingSpeed: -1}.WithDefaults(language), language)
	}
	set := Options{
		Columns: 1, Lines: 1, ReadingSpeed: 0.5, MinDuration: 1, MaxDuration: 2 * ms, MaxPause: 3, Linger: 4, CloseGap: 5, Gap: 6, SpeakerPrefix: true,
	}
	require.Equal(t, set, set.WithDefaults("en"))
	none := Options{MinDuration: -1, MaxDuration: -1, MaxPause: -1, Linger: -1, CloseGap: -1, Gap: -1}.WithDefaults("de")
	require.Equal(t, Options{Columns: 42, Lines: 2, ReadingSpeed: 17, MaxDuration: 2 * ms}, none)
}

// Text is one line of printable characters with single blanks. No-break and ideographic spaces stay.
func TestCleanText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "a": "a", " a": "a", "a ": "a", "a  b": "a b", "a b": "a b", "a\tb\r\nc": "a b c", "\n": "", "a\x7fb": "ab", "a\x00b": "ab", "a\x1f": "a",
		"ä b": "ä b", "ä  b": "ä b", " ä": "ä", "ä\u0085b\u2028c\u2029d": "ä b c d", "ä\u00a0b\u202fc\u3000d": "ä\u00a0b\u202fc\u3000d", "\ufeffä": "ä",
		"ä\u0080\u009f\u00a0b": "ä\u00a0b", "ä\xff": "ä\ufffd", "\ufdcfa\ufdd0b\ufdefc\ufdf0": "\ufdcfabc\ufdf0", "\ufffe\uffff\U0001fffe\U0010ffffa": "a", "\ufffda": "\ufffda",
		"ä\n b": "ä b", "ä \n": "ä", "~": "~", "é\tb": "é b", "é\x0bb": "é b", "é\x0eb": "éb", "é\x08b": "éb",
	} {
		require.Equal(t, want, CleanText(in), "%q", in)
		require.Equal(t, in == want, isClean(in), "%q", in)
	}
	for in, want := range map[float64]float64{-1: 0, 0: 0, 0.12344: 0.1234, 0.12345001: 0.1235, 1: 1, 2: 1, math.NaN(): 0, math.Inf(-1): 0} {
		require.InDelta(t, want, cleanConfidence(in), 0, in)
	}
}

// East Asian wide characters take two columns; marks and joiners take none.
func TestDisplayWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abc": 3, "ä": 1, "\u02ff": 1, "e\u0301": 1, "a\u200db": 2, "日本": 4, "한국": 4, "ＡＢ": 4, "ｱｲ": 2, "—…": 2, "\u1100": 2, "\u10ff": 1, "あー。": 6, "\u20dda": 1,
	} {
		require.Equal(t, want, displayWidth(text), "%q", text)
	}
}

// Ideographs are the characters that Chinese and Japanese set without spaces, with their punctuation and full-width forms.
func TestIsIdeographic(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{
		'a': false, 0x2e80: false, 0x2fff: false, 0x3000: true, '。': true, 0x303f: true, 0x3040: false, 'あ': true, 'ア': true, 'ー': true, '日': true, '한': false,
		0xfeff: false, 0xff00: true, '！': true, 0xffef: true, 0xfff0: false, 0x30fb: false, 0x20000: true,
	} {
		require.Equal(t, want, IsIdeographic(r), "%U", r)
	}
}

// The cost of a break depends on the words around it. Each rule beats those below it.
func TestBreakCost(t *testing.T) {
	t.Parallel()
	costs := []int{costSentence, costClause, costPhrase, costWord, costNoun, costApart, costBound, costName, costUnit, costNever}
	require.IsIncreasing(t, costs)
	for _, c := range []struct {
		language   transcript.Language
		word, next string
		want       int
	}{
		{"en", "stone", "lasts", costWord}, {"en", "lasts.", "Stone", costSentence}, {"en", "lasts?”", "Stone", costSentence}, {"en", "lasts!)", "and", costSentence},
		{"en", "lasts,", "stone", costClause}, {"en", "lasts;", "and", costClause}, {"en", "—", "stone", costClause}, {"en", "-", "stone", costClause}, {"en", "half-", "stone", costWord},
		{"en", "the", "stone", costBound}, {"en", "and", "stone", costApart}, {"en", "stone", "and", costPhrase}, {"en", "stone", "And", costPhrase},
		{"en", "Ada", "Lovelace", costName}, {"en", "Ada", "wrote", costWord}, {"de", "Haus", "Boot", costNoun}, {"de", "Ludwig", "Boot", costName}, {"en", "und", "Stein", costWord}, {"de", "und", "Stein", costApart},
		{"en", "stone", ")", costNever}, {"en", "stone.", "?", costNever}, {"en", "«", "stone", costNever}, {"ja", "が", "っ", costNever}, {"ja", "が", "」", costNever},
		{"ja", "「", "が", costNever}, {"ko", "나무", "바다", costWord}, {"ko", "먹는", "밥을", costApart}, {"ko", "우리는", "밥을", costPhrase}, {"ko", "밥을", "먹었다", costWord + 10},
		{"ko", "왔지만", "밥을", 3 * costClause}, {"ko", "할", "수", costBound}, {"ko", "수", "있다", costBound}, {"ko", "빵의", "맛", costBound}, {"ko", "회의", "결과", costWord}, {"ko", "큰", "집", costApart}, {"en", "stone", "(that", costPhrase}, {"en", "stone", "%", costNever}, {"en", "stone", "$", costWord},
	} {
		p := vocabularyOf(c.language)
		require.Equal(t, c.want, p.breakCost(nil, p.facts(c.word), p.facts(c.next), nil), "%s: %q %q", c.language, c.word, c.next)
	}
	facts := vocabularyOf("en").facts("Wörter日")
	require.Equal(t, []int{8, 7}, []int{facts.columns, facts.chars})
}

// SameLetters ignores spaces, also inside of words, and nothing else.
func TestSameLetters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"one two three": true, "onetwothree": true, " one  two three ": true, "one two": false, "one two three four": false, "one Two three": false, "": false,
		"one\u00a0two\u202fthree": true, "one\u00a0four": false,
	} {
		require.Equal(t, want, SameLetters(text, []transcript.Word{{Text: "one"}, {Text: "two three"}}), text)
	}
	require.True(t, SameLetters(" ", nil))
	require.True(t, SameLetters("10 km\u00a0", []transcript.Word{{Text: "10\u00a0km"}}))
	require.False(t, SameLetters("a", nil))
}

// Text without words becomes words that share its time; spaces separate them, except in Chinese and Japanese.
func TestTokens(t *testing.T) {
	t.Parallel()
	type piece struct {
		text       string
		start, end time.Duration
		space      bool
	}
	word := func(text string, start, end time.Duration) transcript.Word {
		return transcript.Word{Text: text, Start: start * ms, End: end * ms, Confidence: 0.5}
	}
	for name, c := range map[string]struct {
		language transcript.Language
		u        Utterance
		want     []piece
	}{
		"words":           {"en", Utterance{Text: "one two", Words: []transcript.Word{word("one", 0, 5), word("two", 6, 9)}}, []piece{{"one", 0, 5, false}, {"two", 6, 9, true}}},
		"no words":        {"en", Utterance{Text: "one  two", End: 80 * ms}, []piece{{"one", 0, 40, false}, {"two", 40, 80, true}}},
		"other words":     {"en", Utterance{Text: "one two", End: 80 * ms, Words: []transcript.Word{word("three", 0, 5)}}, []piece{{"one", 0, 40, false}, {"two", 40, 80, true}}},
		"no spaces":       {"ja", Utterance{Text: "東京AI", End: 90 * ms}, []piece{{"東", 0, 30, false}, {"京", 30, 60, false}, {"AI", 60, 90, false}}},
		"Latin in it":     {"ja", Utterance{Text: "AI is", Words: []transcript.Word{word("AI", 0, 5), word("is", 6, 9)}}, []piece{{"AI", 0, 5, false}, {"is", 6, 9, true}}},
		"wider than line": {"ja", Utterance{Text: "東京都AI", Words: []transcript.Word{word("東京都", 0, 90), word("AI", 90, 95)}}, []piece{{"東", 0, 30, false}, {"京", 30, 60, false}, {"都", 60, 90, false}, {"AI", 90, 95, false}}},
	} {
		c.u.Label = "Speaker 0"
		b := newBreaker(Options{Columns: 5}, Script{Language: c.language})
		b.setTokens(c.u)
		var got []piece
		for _, tok := range b.tokens {
			got = append(got, piece{tok.Text, tok.Start / ms, tok.End / ms, tok.gap == " "})
			require.Equal(t, "Speaker 0", tok.Speaker, name)
		}
		require.Equal(t, c.want, got, name)
	}
	b := newBreaker(Options{Columns: 5}, Script{Language: "en"})
	b.setTokens(Utterance{Label: "Speaker 0", Text: "a", Words: []transcript.Word{{Text: "a", Speaker: "Speaker 1"}}})
	require.Equal(t, "Speaker 1", b.tokens[0].Speaker)
}
