package fake_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Text is split into words at spaces. In Chinese and Japanese, each character, and each run of katakana or of letters and digits, is a
// word. Punctuation belongs to the word before it.
func TestWordsAreCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language transcript.Language
		boosted  string
		want     []string
	}{
		{"en", "open source", []string{"open", "source"}},
		{"en", "well-known 3.5%", []string{"well-known", "3.5%"}},
		{"en", "rock – roll", []string{"rock\u00a0–", "roll"}},
		{"ja", "東京タワー", []string{"東", "京", "タワー"}},
		{"ja", "らーめん", []string{"らー", "め", "ん"}},
		{"ja", "スティーブ・ジョブズ", []string{"スティーブ・ジョブズ"}},
		{"ja", "「データ」、メディア", []string{"「データ」、", "メディア"}},
		{"ja", "人々", []string{"人", "々"}},
		{"zh", "人工智能3.5版", []string{"人", "工", "智", "能", "3.5", "版"}},
		{"zh", "《红楼梦》", []string{"《红", "楼", "梦》"}},
		{"zh", "Open AI，GPT-4", []string{"Open", "AI，", "GPT-4"}},
		{"ko", "인공 지능", []string{"인공", "지능"}},
		{"hi", "कृत्रिम बुद्धि", []string{"कृत्रिम", "बुद्धि"}},
	} {
		words := texts(transcribe(t, long(60), engine.TranscribeRequest{Language: c.language, BoostedWords: []string{c.boosted}}))
		found := false
		for i := range len(words) - len(c.want) + 1 {
			match := true
			for j, w := range c.want {
				// The carrier may have punctuation around the boosted word.
				match = match && (words[i+j] == w || j == len(c.want)-1 && strings.HasPrefix(words[i+j], w) || j == 0 && strings.HasSuffix(words[i+j], w))
			}
			found = found || match
		}
		require.True(t, found, "%s: %q in %q", c.language, c.want, words)
	}
}

// In every language, words begin with a letter, a digit, or opening punctuation, and the words of sentences join to the same sentences.
func TestWordsOfSentences(t *testing.T) {
	t.Parallel()
	one := regexp.MustCompile(`^[“‘「『（《«¿¡'"]*([\p{Han}\p{Hiragana}]ー*|[\p{Katakana}ー・]+|[\p{L}\p{M}\p{N}][^ ]*)[^\p{L}\p{N} ]*$`)
	narrow := regexp.MustCompile(`[\p{Han}\p{Hiragana}].*[\p{L}\p{N}]`)
	for _, language := range transcript.Languages() {
		words := transcribe(t, long(120), engine.TranscribeRequest{Language: language})
		for _, w := range words {
			require.Regexp(t, one, w.Text, language)
			if !language.Spaced() {
				require.NotRegexp(t, narrow, strings.ReplaceAll(w.Text, "ー", ""), language)
			}
		}
		parse(t, words, language)
		checkPace(t, words, language, 120)
		if language == "fr" {
			require.True(t, slices.ContainsFunc(words, func(w transcript.Word) bool { return strings.HasSuffix(w.Text, "\u00a0?") }))
		}
	}
}

// checkPace checks for a natural pace: 150 words per minute in English, 4.5 characters per second in Chinese, 6.5 in Japanese, and about
// 130 words per minute in other languages.
func checkPace(t *testing.T, words []transcript.Word, language transcript.Language, seconds float64) {
	t.Helper()
	characters := 0
	for _, r := range transcript.JoinWords(words, language) {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			characters++
		}
	}
	switch perMinute := float64(len(words)) / seconds * 60; language {
	case "en":
		require.InDelta(t, 150, perMinute, 8)
	case "zh":
		require.InDelta(t, 4.5, float64(characters)/seconds, 0.4)
	case "ja":
		require.InDelta(t, 6.5, float64(characters)/seconds, 0.4)
	default:
		require.InDelta(t, 130, perMinute, 30, language)
	}
}

// No sentence is repeated until all were spoken once.
func TestSentencesAreNotRepeated(t *testing.T) {
	t.Parallel()
	whole, _ := lines(t, "zh")
	uses := map[string]int{}
	for _, s := range parse(t, transcribe(t, long(15*60), engine.TranscribeRequest{Language: "zh"}), "zh") {
		uses[s.text]++
		require.True(t, len(uses) == len(whole) || uses[s.text] == 1, "%s after %d of %d", s.text, len(uses), len(whole))
	}
	require.Len(t, uses, len(whole))
}

// Longer words take longer, and a pause follows the last word of a sentence.
func TestTiming(t *testing.T) {
	t.Parallel()
	words := transcribe(t, long(300), engine.TranscribeRequest{})
	length := func(min, max int) (mean float64) {
		n := 0.0
		for _, w := range words {
			if l := len(w.Text); l >= min && l <= max {
				mean, n = mean+float64((w.End-w.Start).Milliseconds()), n+1
			}
		}
		return mean / n
	}
	require.Less(t, 1.5*length(1, 2), length(4, 5))
	require.Less(t, 1.5*length(4, 5), length(8, 12))
	for i, w := range words[:len(words)-1] {
		if strings.ContainsAny(w.Text, ".?!") {
			require.Greater(t, words[i+1].Start-w.End, 80*time.Millisecond, w)
		}
	}
}
