package writer

import (
	"strings"
	"unicode/utf8"
)

// chinese splits a run of Chinese characters at function words and known nouns.
func (t *lexicon) chinese(run string) (out []expression) {
	from := 0
	flush := func(to int) {
		if bare := run[from:to]; utf8.RuneCountInString(bare) > 1 {
			out = append(out, expression{text: bare, terms: pairs(bare)})
		}
	}
	for i := 0; i < len(run); {
		_, n := utf8.DecodeRuneInString(run[i:])
		if noun := t.noun(run[i:]); noun != "" {
			flush(i)
			out = append(out, expression{text: noun, terms: pairs(noun), cued: true})
			i += len(noun)
			from = i
			continue
		}
		if m := t.grammar(run[i:]); m > 0 {
			flush(i)
			i += m
			from = i
			continue
		}
		i += n
	}
	flush(len(run))
	return out
}

// noun returns the longest known noun that s begins with, or "".
func (t *lexicon) noun(s string) (longest string) {
	for _, n := range t.nouns {
		if len(n) > len(longest) && strings.HasPrefix(s, n) {
			longest = n
		}
	}
	return longest
}

// grammar returns the length of the longest function word, of up to three characters, that s begins with.
func (t *lexicon) grammar(s string) (length int) {
	n := 0
	for i, r := range s {
		if n++; n > 3 {
			break
		}
		if end := i + utf8.RuneLen(r); t.stop[s[:end]] {
			length = end
		}
	}
	return length
}
