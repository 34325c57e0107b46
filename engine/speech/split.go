package speech

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Split splits a text into words: at white space and, in a language without spaces, before each character that is a word.
// Punctuation stays with the previous word, after a no-break space if there was a space. Opening brackets and quotes stay
// with the next word.
func Split(text string, language transcript.Language) []string {
	var words []string
	opens := ""
	for _, f := range fields(text) {
		if !strings.ContainsFunc(f, closes) {
			opens += f + noBreak
			continue
		}
		f, opens = opens+f, ""
		if len(words) > 0 && !strings.ContainsFunc(f, says) {
			words[len(words)-1] += noBreak + f
			continue
		}
		if language.Spaced() {
			words = append(words, f)
		} else {
			words = append(words, splitWide(f)...)
		}
	}
	if opens = strings.TrimSuffix(opens, noBreak); opens != "" && len(words) > 0 {
		words[len(words)-1] += noBreak + opens
	} else if opens != "" {
		words = append(words, opens)
	}
	return words
}

// closes reports whether a character doesn't open a bracket or a quote.
func closes(r rune) bool {
	return !unicode.In(r, unicode.Ps, unicode.Pi) && r != '¿' && r != '¡' && !isSpace(r)
}

// noBreak keeps punctuation with its word, as in French.
const noBreak = "\u00a0"

// says reports whether a character is neither punctuation nor white space.
func says(r rune) bool { return !unicode.IsPunct(r) && !isSpace(r) }

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u202f' }

// fields splits at breaking white space, and drops characters that can't be shown.
func fields(text string) []string {
	all := strings.FieldsFunc(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\u00a0':
			return ' '
		case unicode.IsControl(r), r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")), func(r rune) bool { return r == ' ' })
	out := all[:0]
	for _, f := range all {
		if f = strings.TrimFunc(f, isSpace); f != "" {
			out = append(out, f)
		}
	}
	return out
}

// splitWide splits before each ideograph and before each run of a syllabary.
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
	case isSpace(a), isSpace(b):
		return false // only no-break spaces are left here
	case unicode.In(a, unicode.Ps, unicode.Pi):
		return false // opens
	case unicode.In(b, unicode.Ps, unicode.Pi):
		return true
	case unicode.IsPunct(b), unicode.IsMark(b), b == 'ー', b == '々':
		return false // closes or continues
	case a < unicode.MaxASCII && unicode.IsPunct(a) && scriptOf(b) == 0:
		return false // don't, 3.5, open-source
	case unicode.Is(unicode.Han, b):
		return true
	case unicode.Is(unicode.Han, a):
		return !unicode.Is(unicode.Hiragana, b) // 食べ is one word: its ending is in hiragana
	case unicode.IsMark(a):
		return false
	}
	return scriptOf(a) != scriptOf(b)
}

// scriptOf distinguishes the scripts in Chinese and Japanese text.
func scriptOf(r rune) int {
	if r == 'ー' {
		return 3
	}
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
