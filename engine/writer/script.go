package writer

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/prose"
)

// writtenAs is what a run of characters is written in.
type writtenAs int

const (
	nothing writtenAs = iota // no part of a word
	letters                  // of a script with spaces, and digits
	han
	kana // katakana
	hiragana
	hangul
)

func writtenIn(r rune) writtenAs {
	switch {
	case r < 0x80:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return letters
		}
		return nothing
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Katakana, r) || r == 'ー':
		return kana
	case unicode.Is(unicode.Hiragana, r):
		return hiragana
	case unicode.Is(unicode.Hangul, r):
		return hangul
	case prose.Sounds(r) || unicode.IsMark(r):
		return letters
	}
	return nothing
}

// particle reports whether hiragana goes on as behind a noun, and not as the ending of a verb.
func particle(s string) bool {
	for _, p := range []string{"は", "が", "を", "に", "の", "と", "で", "も", "や", "へ", "から", "まで", "より", "だ", "する", "し"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
