package phrases

import (
	"strings"
	"unicode"
)

// kind is what a character is for line breaking.
type kind byte

const (
	kindOther    kind = iota
	kindSpace         // white space
	kindStop          // ends a sentence
	kindClose         // closes a clause, quotation, or bracket, and never begins a line
	kindOpen          // opens a quotation or bracket, and never ends a line
	kindLatin         // letters and digits of spaced scripts, with the marks inside numbers and names
	kindKatakana      // katakana, with ー and ・
	kindHiragana
	kindHan
	kindMark // belongs to the character before it: combining marks, small kana, 々, ％
)

const zeroWidthJoiner = '\u200d'

// kindsOf returns the kinds of characters.
func kindsOf(runes []rune) []kind {
	kinds := make([]kind, len(runes))
	for i, r := range runes {
		kinds[i] = kindOf(r)
		joinNumber(kinds, runes, i)
	}
	return kinds
}

// joinNumber makes a comma or full stop between digits part of a number, if the second digit is the i-th character.
func joinNumber(kinds []kind, runes []rune, i int) {
	if i > 1 && kinds[i] == kindLatin && isPoint(runes[i-1]) && unicode.IsDigit(runes[i-2]) && unicode.IsDigit(runes[i]) {
		kinds[i-1] = kindLatin
	}
}

// isPoint reports whether r may be inside a number.
func isPoint(r rune) bool { return r == ',' || r == '，' || r == '．' }

// isSmallKana reports whether r belongs to the character before it.
func isSmallKana(r rune) bool {
	switch r {
	case 'ぁ', 'ぃ', 'ぅ', 'ぇ', 'ぉ', 'っ', 'ゃ', 'ゅ', 'ょ', 'ゎ':
		return true
	}
	return false
}

func kindOf(r rune) kind {
	switch {
	case r < 0x80:
		return kindOfASCII(r)
	case 0x4e00 <= r && r <= 0x9fff: // most of them, so this saves time
		return kindHan
	case 0x3041 <= r && r <= 0x3096:
		if isSmallKana(r) {
			return kindMark
		}
		return kindHiragana
	case strings.ContainsRune("。？！．｡…‥", r):
		return kindStop
	case strings.ContainsRune("、，：；､～〜—–", r) || unicode.In(r, unicode.Pe, unicode.Pf):
		return kindClose
	case strings.ContainsRune("￥＄〔", r) || unicode.In(r, unicode.Ps, unicode.Pi, unicode.Sc):
		return kindOpen
	case r == 'ー' || r == '・' || r == '･' || r == '゠':
		return kindKatakana
	case strings.ContainsRune("々〻％‰ゝゞヽヾ", r) || unicode.In(r, unicode.Mn, unicode.Me) || r == zeroWidthJoiner:
		return kindMark
	}
	return kindOfScript(r)
}

func kindOfASCII(r rune) kind {
	switch {
	case r <= ' ':
		return kindSpace
	case r == '?' || r == '!':
		return kindStop
	case strings.ContainsRune(",;)]}", r):
		return kindClose
	case strings.ContainsRune("([{", r):
		return kindOpen
	}
	return kindLatin // also . : - ' / % @, which are inside numbers, names, and addresses
}

func kindOfScript(r rune) kind {
	switch {
	case unicode.IsSpace(r):
		return kindSpace
	case unicode.Is(unicode.Han, r):
		return kindHan
	case unicode.Is(unicode.Hiragana, r):
		return kindHiragana
	case unicode.Is(unicode.Katakana, r):
		return kindKatakana
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return kindLatin
	}
	return kindOther
}
