package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ordinalLanguages write ordinals as a number with a full stop. The value says whether the noun after one may have a capital: German
// nouns have one, and Turkish names with ordinals (2. Dünya Savaşı).
var ordinalLanguages = map[Language]bool{"de": true, "tr": true, "no": false, "pl": false, "sv": false}

// isOrdinal reports whether a word, without its full stop, may be an ordinal: up to three digits, or a Roman number.
func isOrdinal(word string, l Language) bool {
	if _, ok := ordinalLanguages[l]; !ok || word == "" {
		return false
	}
	return len(word) <= 3 && strings.Trim(word, "0123456789") == "" || len(word) > 1 && strings.Trim(word, "IVXLC") == ""
}

// ordinalEnds reports whether the full stop of a number ends a sentence. A given name after digits begins one, but kings have Roman
// numbers before or after their name.
func ordinalEnds(word, next string, l Language) bool {
	switch {
	case next == "":
		return true
	case startsLower(next), startsWithDigit(next):
		return false
	}
	name := strings.TrimRightFunc(strings.TrimLeftFunc(next, isOpening), func(r rune) bool { return !unicode.IsLetter(r) })
	return !ordinalLanguages[l] || stopsOf(l).begins(next, l) || isDigits(word) && IsGivenName(lower(name, l), l)
}

func isDigits(word string) bool { return strings.Trim(word, "0123456789") == "" }

func isASCIILetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }

// isStops reports whether a word consists of punctuation that ends sentences. French services return such words.
func isStops(word string) bool { return word != "" && strings.Trim(word, ".?!…") == "" }

// isClosing reports whether a mark may follow the punctuation that ends a sentence. The German closing mark opens in other languages.
func isClosing(r rune) bool {
	return strings.ContainsRune("\"'“‘ \u00a0\u202f", r) || unicode.In(r, unicode.Pe, unicode.Pf)
}

// isOpening reports whether a mark may be before the first letter of a word.
func isOpening(r rune) bool {
	return strings.ContainsRune("\"'”’»¿¡-", r) || unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pd)
}

func startsLower(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, isOpening))
	return unicode.IsLower(r)
}

func startsWithDigit(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(word, isOpening))
	return unicode.IsDigit(r)
}
