package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The cost of ending a line or cue after a word. Only the order and rough distances matter.
const (
	costSentence = 0
	costClause   = 12
	costPhrase   = 60  // before a conjunction or preposition, after a postposition or particle
	costWord     = 100 // anywhere
	costName     = 130 // between two capitalised words: first and last name
	costApart    = 170 // after an article or preposition, before a postposition or particle
	costNever    = 2000
)

// wordFacts are properties of a word. They are cached, because speech has few different words.
type wordFacts struct {
	columns    int  // width on screen
	chars      int  // for reading speed
	neverFirst bool // can't begin a line
	neverLast  bool // can't end a line
	sentence   bool // ends a sentence
	clause     bool // ends a clause
	leading    bool // begins a phrase
	trailing   bool // belongs to the previous word
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

// breakCost returns the cost of a break between a word and the next one.
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

// neverFirst reports whether a character can't begin a line: closing punctuation, small kana, and similar (JIS X 4051, GB/T
// 15834).
func neverFirst(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune(",.!?;:)]}%", r)
	}
	return unicode.In(r, unicode.Pe, unicode.Pf) ||
		strings.ContainsRune("、。，．・：；？！ーゝゞヽヾ々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥।", r)
}

// phrases are the function words that show where phrases of a language begin.
type phrases struct {
	leading         map[string]bool // begin a phrase: conjunctions, prepositions, articles
	trailing        map[string]bool // belong to the previous word: postpositions, particles
	nounsAreCapital bool            // nouns are capitalised, so capitals don't indicate names
}

// phrasesOf returns the phrases of a language; unknown languages have none.
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
