package render

import (
	"strings"
	"unicode"
)

// Thai and Lao vowels that are written before the consonant they follow, and so begin a syllable; and letters and marks that end one.
const (
	beginSyllable = "เแโใไເແໂໃໄ"
	endSyllable   = "ำๆຳໆ"
)

// coeng joins a Khmer consonant to the one before it, below the line.
const coeng = '\u17d2'

// syllables splits a run of Thai, Lao, or Khmer, which have no spaces between words, where a syllable begins for certain: a line may break
// there. No kept dictionary of these languages is written in Go, so not every syllable is found. Other text stays whole.
func syllables(text string) (parts []string) {
	runes, from := []rune(text), 0
	for i := 1; i < len(runes); i++ {
		if beginsSyllable(runes, i) {
			parts, from = append(parts, string(runes[from:i])), i
		}
	}
	return append(parts, string(runes[from:]))
}

// beginsSyllable reports whether a syllable begins with runes[i], i > 0, for certain.
func beginsSyllable(runes []rune, i int) bool {
	before, r := runes[i-1], runes[i]
	switch {
	case strings.ContainsRune(beginSyllable, r):
		return !strings.ContainsRune(beginSyllable, before) && southeast(before)
	case unicode.In(r, unicode.Thai, unicode.Lao):
		return strings.ContainsRune(endSyllable, before) && unicode.IsLetter(r) && !strings.ContainsRune(endSyllable, r)
	case unicode.Is(unicode.Khmer, r):
		return unicode.In(before, unicode.Mn, unicode.Mc) && unicode.IsLetter(r) && before != coeng && unicode.Is(unicode.Khmer, before) && opensKhmer(runes, i)
	}
	return false
}

// opensKhmer reports whether the Khmer consonant runes[i] has a vowel or a consonant below it, so that it can't close the syllable before.
func opensKhmer(runes []rune, i int) bool {
	return i+1 < len(runes) && unicode.Is(unicode.Khmer, runes[i+1]) && unicode.In(runes[i+1], unicode.Mn, unicode.Mc)
}

func southeast(r rune) bool { return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer) }
