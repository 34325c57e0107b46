package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine"
)

// What it costs to end a line or cue after a word, before the next one. Only the order and rough distances matter.
const (
	costSentence = 0
	costClause   = 12
	costPhrase   = 60  // before a conjunction or preposition, after a postposition or particle
	costWord     = 100 // anywhere
	costName     = 130 // between two capitalised words: first and last name
	costApart    = 170 // after an article or preposition, before a postposition or particle
	costNever    = 2000
)

// breakCost returns what it costs to break between a word and the next one.
func breakCost(word, next string, p phrases) int {
	first, _ := utf8.DecodeRuneInString(next)
	last, _ := utf8.DecodeLastRuneInString(word)
	if neverFirst(first) || unicode.In(last, unicode.Ps, unicode.Pi) {
		return costNever
	}
	end, _ := utf8.DecodeLastRuneInString(endsClosed(word))
	switch {
	case strings.ContainsRune(".?!。？！।…", end):
		return costSentence
	case strings.ContainsRune(",;:、，；：،–—", end), unicode.IsPunct(end) && word == string(end):
		return costClause
	case p.leading[fold(word)] || p.trailing[fold(next)]:
		return costApart
	case p.leading[fold(next)], p.trailing[fold(word)]:
		return costPhrase
	case !p.nounsAreCapital && unicode.IsUpper(first) && startsUpper(word):
		return costName
	}
	return costWord
}

// neverFirst reports whether a character can't begin a line: closing punctuation, small kana and the like (JIS X 4051,
// GB/T 15834).
func neverFirst(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune(",.!?;:)]}%", r)
	}
	return unicode.In(r, unicode.Pe, unicode.Pf) ||
		strings.ContainsRune("、。，．・：；？！ーゝゞヽヾ々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥।", r)
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func fold(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// phrases are the small words of a language by which readers see where a phrase begins.
type phrases struct {
	leading         map[string]bool // begin a phrase: conjunctions, prepositions, articles
	trailing        map[string]bool // belong to the word before: postpositions, particles
	nounsAreCapital bool            // so that capitals don't tell names
}

// phrasesOf returns the small words of a language; unknown languages have none.
func phrasesOf(language engine.Language) phrases {
	p := phrases{leading: map[string]bool{}, trailing: map[string]bool{}, nounsAreCapital: language == "de"}
	for _, row := range smallWords {
		if row.language == language {
			for _, w := range strings.Fields(row.leading) {
				p.leading[w] = true
			}
			for _, w := range strings.Fields(row.trailing) {
				p.trailing[w] = true
			}
		}
	}
	return p
}
