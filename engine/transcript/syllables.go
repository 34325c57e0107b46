package transcript

import (
	"strings"
	"unicode"
)

// Thai and Lao vowels that are written before the consonant they follow, and so begin a syllable; and letters and marks that end one,
// or belong to the letters before them.
const (
	beginSyllable = "เแโใไເແໂໃໄ"
	endSyllable   = "ำๆຳໆ"
	closeSyllable = endSyllable + "ะาๅฯະາຽຯៗ"
)

// Marks that join a consonant to the one before it, below the line, and those that silence a consonant.
const (
	coeng      = '\u17d2' // Khmer
	virama     = '\u1039' // Burmese
	asat       = '\u103a' // Burmese: no vowel follows
	thanthakat = '\u0e4c' // Thai
	cancel     = '\u0ecc' // Lao
)

// Syllables splits a run of Thai, Lao, Khmer, or Burmese, which have no spaces between words, where a syllable begins for certain: a line
// may break there. No kept dictionary of these languages is written in Go, so not every syllable is found, save in Burmese. Other text
// stays whole.
func Syllables(text string) (parts []string) {
	runes, from := []rune(text), 0
	for i := 1; i < len(runes); i++ {
		if BeginsSyllable(runes, i) {
			parts, from = append(parts, string(runes[from:i])), i
		}
	}
	return append(parts, string(runes[from:]))
}

// BeginsSyllable reports whether a syllable of these scripts begins with runes[i], i > 0, for certain.
func BeginsSyllable(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	if !southeast(r) || !southeast(before) || TearsSyllable(runes, i) {
		return false
	}
	switch {
	case strings.ContainsRune(beginSyllable, r):
		return true
	case unicode.In(r, unicode.Thai, unicode.Lao):
		return strings.ContainsRune(endSyllable, before) && unicode.IsLetter(r)
	case unicode.Is(unicode.Khmer, r):
		return isMark(before) && unicode.Is(unicode.Khmer, before) && unicode.IsLetter(r) && opensKhmer(runes, i)
	}
	return unicode.Is(unicode.Myanmar, before) && unicode.IsLetter(r)
}

// TearsSyllable reports whether a line that breaks before runes[i], i > 0, takes a syllable of these scripts apart for certain.
func TearsSyllable(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	switch {
	case !southeast(r):
		return false
	case before == coeng || before == virama || strings.ContainsRune(beginSyllable, before):
		return true
	}
	return isMark(r) || strings.ContainsRune(closeSyllable, r) || closesSyllable(runes, i)
}

// closesSyllable reports whether the consonant runes[i] has a mark that makes it the end of the syllable before.
func closesSyllable(runes []rune, i int) bool {
	for _, r := range runes[i+1:] {
		switch {
		case r == asat || r == virama || r == thanthakat || r == cancel:
			return unicode.IsLetter(runes[i])
		case !isMark(r):
			return false
		}
	}
	return false
}

// opensKhmer reports whether the Khmer consonant runes[i] has a vowel or a consonant below it, so that it can't close the syllable before.
func opensKhmer(runes []rune, i int) bool {
	return i+1 < len(runes) && unicode.Is(unicode.Khmer, runes[i+1]) && isMark(runes[i+1])
}

func isMark(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Mc) }

func southeast(r rune) bool {
	return r >= 0xe00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
