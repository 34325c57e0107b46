package speech

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// Split cuts a text into words: at white space, and, in a language that writes none, also before each character that is a word of its
// own there. Punctuation stays with the word before it, opening brackets and quotes with the one behind.
func Split(text string, language engine.Language) []string {
	fields := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
	if language.Spaced() {
		return fields
	}
	var words []string
	for _, f := range fields {
		words = append(words, splitWide(f)...)
	}
	return words
}

// splitWide cuts before each ideograph and each syllable of a syllabary, but between no two of the latter that make one run.
func splitWide(s string) []string {
	var words []string
	var word []rune
	var last rune
	for _, r := range s {
		if len(word) > 0 && cutsBetween(last, r) {
			words = append(words, string(word))
			word = word[:0]
		}
		word = append(word, r)
		last = r
	}
	if len(word) > 0 {
		words = append(words, string(word))
	}
	return words
}

// cutsBetween reports whether a word may end between two characters.
func cutsBetween(a, b rune) bool {
	switch {
	case unicode.IsPunct(b) && !unicode.In(b, unicode.Ps, unicode.Pi), unicode.IsMark(b), b == 'ー':
		return false // closes or goes on
	case unicode.In(a, unicode.Ps, unicode.Pi):
		return false // opens
	case unicode.Is(unicode.Han, b):
		return true
	case unicode.Is(unicode.Han, a):
		return !unicode.Is(unicode.Hiragana, b) // 食べ is one word: its ending is in hiragana
	}
	return scriptOf(a) != scriptOf(b)
}

// scriptOf tells the scripts apart that Chinese and Japanese text is mixed of.
func scriptOf(r rune) int {
	for i, t := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana} {
		if unicode.Is(t, r) {
			return i + 1
		}
	}
	if unicode.IsPunct(r) {
		return -1
	}
	return 0
}
