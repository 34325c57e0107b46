package transcript

import (
	"strings"
	"unicode"
)

// IsWordRune reports whether r is a letter, a digit, or a combining mark.
func IsWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// IsIdeographic reports whether r is Han, Hiragana, Katakana, or Hangul. Search indexes such characters in pairs, because their
// languages write few spaces or, like Korean, attach particles to words.
func IsIdeographic(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r == 'ー', r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// HasControl reports whether s has a control character.
func HasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
