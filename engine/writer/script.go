package writer

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/prose"
)

// script is the script of a run of characters.
type script int

const (
	noScript script = iota // not part of a word
	letters                // letters of a script with spaces, and digits
	han
	kana // katakana
	hiragana
	hangul
)

func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return letters
		}
		return noScript
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return kana
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case prose.IsSpoken(r) || unicode.IsMark(r):
		return letters
	}
	return noScript
}

// particle reports whether a run of hiragana begins with a particle or another word that follows nouns, rather than a verb ending.
func particle(s string) bool {
	for _, p := range []string{"は", "が", "を", "に", "の", "と", "で", "も", "や", "へ", "から", "まで", "より", "だ", "する", "し"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
