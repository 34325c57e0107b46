package transcript

import (
	"strings"
	"unicode"
)

func IsWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// IsIdeographic reports whether the character is one of Han, Hiragana, Katakana or Hangul: search takes them two by two, since
// their languages write few or no spaces, or, as Korean does, write particles onto the words.
func IsIdeographic(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r >= 0x4e00 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r == 'ー', r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

func HasControl(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
