package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
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

// wordFacts are what the breaker wants to know of a word. Talk has few different words, so it asks once for each.
type wordFacts struct {
	columns    int  // width on screen
	chars      int  // for reading speed
	neverFirst bool // in a line
	neverLast  bool // in a line
	sentence   bool // ends one
	clause     bool // ends one
	leading    bool // begins a phrase
	trailing   bool // belongs to the word before
	capital    bool
}

func (p phrases) facts(word string) *wordFacts {
	first, _ := utf8.DecodeRuneInString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	end, _ := utf8.DecodeLastRuneInString(endsClosed(word))
	small := strings.ToLower(word)
	return &wordFacts{
		columns:    displayWidth(word),
		chars:      utf8.RuneCountInString(word),
		neverFirst: neverFirst(first),
		neverLast:  unicode.In(last, unicode.Ps, unicode.Pi),
		sentence:   strings.ContainsRune(".?!。？！।…", end),
		clause:     strings.ContainsRune(",;:、，；：،–—", end) || unicode.IsPunct(end) && word == string(end),
		leading:    p.leading[small],
		trailing:   p.trailing[small],
		capital:    unicode.IsUpper(first) && !p.nounsAreCapital,
	}
}

// breakCost returns what it costs to break between a word and the next one.
func breakCost(word, next *wordFacts) int {
	switch {
	case next.neverFirst || word.neverLast:
		return costNever
	case word.sentence:
		return costSentence
	case word.clause:
		return costClause
	case word.leading || next.trailing:
		return costApart
	case next.leading || word.trailing:
		return costPhrase
	case word.capital && next.capital:
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

// phrases are the small words of a language by which readers see where a phrase begins.
type phrases struct {
	leading         map[string]bool // begin a phrase: conjunctions, prepositions, articles
	trailing        map[string]bool // belong to the word before: postpositions, particles
	nounsAreCapital bool            // so that capitals don't tell names
}

// phrasesOf returns the small words of a language; unknown languages have none.
func phrasesOf(language transcript.Language) phrases {
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
