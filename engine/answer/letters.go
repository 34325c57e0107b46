package answer

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// letters returns the letters, marks, and digits of a text, folded: what two texts with the same words have in common, whatever their
// punctuation, spaces, and markup.
func letters(text string) string {
	var b strings.Builder
	for _, r := range transcript.Fold(text) {
		switch {
		case r >= 0xff01 && r <= 0xff5e: // full width
			r = transcript.FoldRune(r - 0xfee0)
		case r >= 0x0958 && r <= 0x095f: // Devanagari letters with a nukta, which programs write in two ways
			b.WriteRune([]rune("कखगजडढफय")[r-0x0958])
			r = 0x093c
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// longWords returns the beginnings of the words of a text that have at least five letters, folded, and pairs of Chinese and Japanese
// characters. Inflected forms of a word have the same beginning.
func longWords(text string) map[string]bool {
	const beginning = 5
	out := map[string]bool{}
	for _, word := range strings.FieldsFunc(transcript.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		runes := []rune(word)
		switch {
		case transcript.IsWide(word):
			for i := range len(runes) - 1 {
				out[string(runes[i:i+2])] = true
			}
		case unicode.Is(unicode.Hangul, runes[0]) && len(runes) >= 2:
			out[string(runes[:2])] = true
		case len(runes) >= beginning:
			out[string(runes[:beginning])] = true
		}
	}
	return out
}

// isWideRune reports whether Chinese and Japanese write a character without surrounding spaces.
func isWideRune(r rune) bool { return transcript.IsWide(string(r)) }
