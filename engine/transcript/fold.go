package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Fold makes texts comparable without regard to case: Unicode simple case folding, and ß as ss. Every store matches
// titles by it.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s) // the least of its case is what a letter folds to
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

// caseless knows the blocks of scripts without case: looking for another case takes long. From Hebrew to Myanmar, from the radicals of
// Chinese to Yi, and Korean.
func caseless(r rune) bool {
	return r >= 0x0590 && r < 0x10A0 || r >= 0x2E80 && r < 0xA640 || r >= 0xAC00 && r < 0xF900
}
