package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// replaceWords replaces a text where it isn't part of a longer word, and returns how often.
func replaceWords(text, old, replacement string) (string, int) {
	var b strings.Builder
	n, rest := 0, text
	for {
		i := strings.Index(rest, old)
		if i < 0 {
			b.WriteString(rest)
			return b.String(), n
		}
		end := i + len(old)
		before, _ := utf8.DecodeLastRuneInString(text[:len(text)-len(rest)+i])
		after, _ := utf8.DecodeRuneInString(rest[end:])
		first, size := utf8.DecodeRuneInString(old)
		last, _ := utf8.DecodeLastRuneInString(old)
		if joined(before, first) || joined(last, after) {
			b.WriteString(rest[:i+size])
			rest = rest[i+size:]
			continue
		}
		b.WriteString(rest[:i] + replacement)
		n, rest = n+1, rest[end:]
	}
}

// joined reports whether two letters that follow each other belong to one word. Scripts without spaces have no words here.
func joined(a, b rune) bool {
	inWord := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}
	return a != utf8.RuneError && b != utf8.RuneError && inWord(a) && inWord(b)
}
