package speech

import (
	"slices"
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Terms prepares boosted words for a server: each on one line, without duplicates, with at most mostWords words per term,
// in their order. It stops at the first term that take refuses, so that the first terms are the boosted ones.
func Terms(boosted []string, mostWords int, take func(term string) bool) []string {
	var terms []string
	for _, b := range boosted {
		b = line(b)
		if b == "" || len(strings.Fields(b)) > mostWords || slices.Contains(terms, b) {
			continue
		}
		if !take(b) {
			break
		}
		terms = append(terms, b)
	}
	return terms
}

// line returns a text without control characters, with single spaces.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// Spellings returns the custom spellings that a server may apply although the engine then applies all of them to its
// text. Applying these twice is harmless: no spelling matches what they write, and no other spelling contains what they
// match. It omits spellings with punctuation ("C" to "C++" would become "C++++"), in scripts without spaces, and those
// that write several words or none. It returns none if there are more than 1,000. From is in lower case.
func Spellings(spellings []transcript.Spelling) []transcript.Spelling {
	var all []string
	for _, s := range spellings {
		for _, from := range s.From {
			all = append(all, transcript.Fold(line(from)))
		}
	}
	if len(all) > maxSpellings {
		return nil
	}
	within := func(text string) (n int) {
		for _, from := range all {
			if strings.Contains(from, text) {
				n++
			}
		}
		return n
	}
	var harmless []transcript.Spelling
	for _, s := range spellings {
		if to := line(s.To); !plain(to) || len(strings.Fields(to)) != 1 || within(transcript.Fold(to)) > 0 {
			continue
		}
		kept := transcript.Spelling{To: line(s.To)}
		for _, from := range s.From {
			if from = strings.ToLower(line(from)); from != "" && plain(from) && within(transcript.Fold(from)) == 1 {
				kept.From = append(kept.From, from)
			}
		}
		if len(kept.From) > 0 {
			harmless = append(harmless, kept)
		}
	}
	return harmless
}

const maxSpellings = 1000

// plain reports whether a text has only letters, digits, and spaces, in a script that uses spaces.
func plain(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != ' ' {
			return false
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return false
		}
	}
	return true
}
