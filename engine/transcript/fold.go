package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold returns s in a form for case-insensitive comparison: Unicode simple case folding, with ß as SS. Every store matches titles
// with it.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s) // upper case is the smallest rune of each ASCII pair, as FoldRune returns
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if r == 'ß' || r == 'ẞ' {
			b.WriteString("SS")
			continue
		}
		b.WriteRune(FoldRune(r))
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// FoldRune returns the smallest rune that equals r under simple case folding.
func FoldRune(r rune) rune {
	if caseless(r) {
		return r
	}
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

// caseless reports whether r is in a block of scripts without case: Hebrew to Myanmar, CJK radicals to Yi, and Korean. SimpleFold
// is slow for them.
func caseless(r rune) bool {
	return r >= 0x0590 && r < 0x10A0 || r >= 0x2E80 && r < 0xA640 || r >= 0xAC00 && r < 0xF900
}
