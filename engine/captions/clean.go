package captions

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanText returns s as one line that every format can hold: valid UTF-8 without control characters, byte order marks, or
// noncharacters (XML forbids some). Line breaks, tabs, and runs of spaces become one space; U+00A0, U+202F, and U+3000 stay. A
// clean string is returned without copying.
func CleanText(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := true // drops leading spaces
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case isBreak(r):
			if !space {
				b.WriteByte(' ')
			}
			space = true
		case isDropped(r):
		default:
			b.WriteRune(r)
			space = false
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// isClean is a fast check that most text passes: printable characters with single spaces.
func isClean(s string) bool {
	if strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return isCleanUnicode(s)
		case c < ' ' || c == 0x7f || c == ' ' && s[i+1] == ' ': // a final space was handled above
			return false
		}
	}
	return true
}

func isCleanUnicode(s string) bool {
	last := 'x'
	for _, r := range s {
		switch {
		case ' ' < r && r < 0x7F, 0xA0 <= r && r < 0x2028, 0x2030 <= r && r < 0xFDD0: // no spaces, controls, or noncharacters
		case r == ' ' && last == ' ', r != ' ' && isBreak(r), isDropped(r):
			return false
		case r == utf8.RuneError && !utf8.ValidString(s):
			return false
		}
		last = r
	}
	return true
}

func isBreak(r rune) bool {
	return r == ' ' || r >= '\t' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func isDropped(r rune) bool {
	return r < ' ' || r >= 0x7f && r <= 0x9f || r == '\uFEFF' || isNoncharacter(r)
}

func isNoncharacter(r rune) bool { return r >= 0xFDD0 && r <= 0xFDEF || r&0xFFFE == 0xFFFE }

// cleanConfidence limits a confidence to 0 to 1 and rounds it to four decimals.
func cleanConfidence(c float64) float64 {
	if math.IsNaN(c) {
		return 0
	}
	return math.Round(min(max(c, 0), 1)*1e4) / 1e4
}

// displayWidth returns the columns of a caption line: East Asian wide characters take two, marks and joiners none.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case isZeroWidth(r):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

func isZeroWidth(r rune) bool { return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) }
