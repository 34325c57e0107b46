package captions

import (
	"unicode"

	"golang.org/x/text/width"
)

// isWide reports whether r takes two columns by East Asian caption rules.
func isWide(r rune) bool {
	if r < 0x1100 {
		return false
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return true
	}
	return false
}

// IsIdeographic reports whether r is a character that Chinese and Japanese set without surrounding spaces.
func IsIdeographic(r rune) bool {
	switch {
	case r < 0x3000:
		return false
	case r <= 0x303f, r == 'ー', r >= 0xff00 && r <= 0xffef:
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}
