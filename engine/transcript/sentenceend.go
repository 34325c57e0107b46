package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// EndsSentence reports whether a word ends a sentence, when next is the word after it, or "" if nothing follows. A full stop doesn't, when
// it belongs to an abbreviation (Dr. Okonkwo), an initial (J. R. R. Tolkien), or an ordinal (am 3. Mai). Some abbreviations may also end a
// sentence: "in the U.S. He left" has an end, "the U.S. Senate" has none. Unknown languages follow the rules of English.
func EndsSentence(word, next string, l Language) bool {
	if n := len(word); n == 0 || isASCIILetter(word[n-1]) {
		return false // the usual case
	}
	bare := strings.TrimRightFunc(word, isClosing)
	mark, n := utf8.DecodeLastRuneInString(bare)
	switch {
	case !strings.ContainsRune(".?!。？！｡．।॥…؟۔", mark), isStops(next):
		return false
	case mark == '…' || strings.HasSuffix(bare, ".."):
		return !startsLower(next)
	case mark == '?' || mark == '!':
		return len(bare) == len(word) || !startsLower(next) // “Why?” he asked
	case mark != '.':
		return true
	}
	return stopEnds(strings.TrimLeftFunc(bare[:len(bare)-n], isOpening), next, l)
}

// stopEnds reports whether the full stop after a word ends a sentence.
func stopEnds(word, next string, l Language) bool {
	if isOrdinal(word, l) {
		return ordinalEnds(word, next, l)
	}
	s := stopsOf(l)
	switch kind := s.kindOf(word, l); {
	case kind&beforeName != 0:
		return false
	case kind&(beforeNumber|beforeWord) != 0 && startsWithDigit(next):
		return false
	case kind&beforeLower != 0:
		return !startsLower(next)
	case kind&beforeWord != 0 || isInitial(word, l) || isDotted(word):
		return next == "" || s.begins(next, l)
	}
	return true
}

// kindOf returns what the list says of a word. French and Italian words may have an article before an apostrophe.
func (s *stops) kindOf(word string, l Language) abbreviation {
	kind := s.abbreviations[word]
	if i := strings.LastIndexAny(word, "'’"); kind == 0 && i >= 0 && (l == "fr" || l == "it") {
		_, n := utf8.DecodeRuneInString(word[i:])
		kind = s.abbreviations[word[i+n:]]
	}
	return kind
}

// begins reports whether a word is likely to begin a sentence: it has a capital, and is none of a name.
func (s *stops) begins(word string, l Language) bool {
	word = strings.TrimLeftFunc(word, isOpening)
	if bare, ok := strings.CutSuffix(word, "."); ok && isInitial(bare, l) {
		return false
	}
	word = strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	if i := strings.IndexAny(word, "'’"); i > 0 {
		word = word[:i] // It’s, C’est
	}
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && s.starts[lower(word, l)]
}

// isInitial reports whether a word is one letter, and not a word of that letter that often ends a sentence: "It was I."
func isInitial(word string, l Language) bool {
	r, n := utf8.DecodeRuneInString(word)
	if n == 0 || n != len(word) || !unicode.IsUpper(r) && !unicode.IsLower(r) {
		return false
	}
	return !(r == 'I' && (l == "en" || !l.Supported()) || r == 'Я')
}

// isDotted reports whether a word without its last full stop is an abbreviation with full stops inside: U.S, z.B, Ph.D, Dipl.-Ing.
func isDotted(word string) bool {
	letters, dots := 0, 0
	for _, r := range word {
		switch {
		case r == '.' || r == '-':
			if letters == 0 && r == '.' {
				return false
			}
			letters, dots = 0, dots+1
		case unicode.IsLetter(r) || unicode.IsMark(r):
			letters++
		default:
			return false
		}
		if letters > 4 {
			return false
		}
	}
	return letters > 0 && dots > 0 && strings.Contains(word, ".")
}
