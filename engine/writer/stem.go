package writer

import (
	"slices"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stem is the number of characters of a word that are compared. The characters after them are mostly inflection.
const stem = 5

// stemOf returns the stem of a word, which is the same for most of its forms. It has at most limit characters, without a plural s. Final
// vowels and vowel signs after the first three characters are removed.
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

// inflected are folded characters that inflection adds or removes at the end of words.
const inflected = "AEIOUYÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÅØĄĘAЕЁИОУЫЭЮЯАІЇЄЙЬािीुूेैोौंँ"
