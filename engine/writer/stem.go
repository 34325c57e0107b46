package writer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stem is how many characters of a word are compared: what comes behind them is mostly inflection.
const stem = 5

// stemOf returns the beginning of a word by which its forms are the same: at most so many characters, without a plural's s
// and the vowels and signs at their end, but for the first three.
func stemOf(word string, limit int) string {
	letters := []rune(transcript.Fold(word))
	if slices.ContainsFunc(letters, unicode.IsDigit) {
		return string(letters)
	}
	if n := len(letters); n > 3 && letters[n-1] == 'S' && letters[n-2] != 'S' {
		letters = letters[:n-1]
	}
	letters = letters[:min(len(letters), limit)]
	for n := len(letters); n > 3 && strings.ContainsRune(inflected, letters[n-1]); n-- {
		letters = letters[:n-1]
	}
	return string(letters)
}

// inflected are folded characters that come and go at the end of words.
const inflected = "AEIOUYÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÅØĄĘAЕЁИОУЫЭЮЯАІЇЄЙЬािीुूेैोौंँ"
