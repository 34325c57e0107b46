package captions

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The cost of ending a line or cue after a word. Only the order and rough distances matter. From costBound on, a cost exceeds
// everything that a break can gain, so only the hard limits (width, duration, a long pause) cause such a break.
const (
	costSentence = 0
	costClause   = 12
	costPhrase   = 60    // before a conjunction or preposition, after a postposition or particle
	costWord     = 100   // anywhere
	costNoun     = 130   // between two capitalised words in German: perhaps a name
	costApart    = 170   // after a conjunction, between a number and a noun, after the first word of a quotation
	costPart     = 2000  // inside a word that is wider than a line
	costBound    = 4000  // after an article or preposition, before a postposition
	costName     = 8000  // between given name and family name
	costUnit     = 20000 // between number and unit, title and name
	costNever    = 60000 // inside a word, before closing punctuation, after opening punctuation
)

// breakCost returns the cost of a break between word and next. The words before and after those two may be nil.
func (p *vocabulary) breakCost(before, word, next, after *wordFacts) int {
	name := 0
	if word.open {
		name = p.nameCost(before, word, next, after)
	}
	switch {
	case next.neverFirst || word.neverLast:
		return costNever
	case word.open && (word.counts(next, after) || word.counted(before, next) || word.names(next)):
		return costUnit
	case name > 0:
		return name
	case word.sentence:
		return costSentence
	case word.clause:
		return costClause
	case word.bound && !next.joining, next.trailing && p.spaced, word.quoted && word.open, word.amount() && !word.year && next.starts():
		return costBound
	case word.joining, next.trailing, word.subject && !next.joining, word.bracketed, word.year && next.starts():
		return costApart
	case next.joining || next.bound || next.subject || next.quoted || next.bracketed || word.trailing:
		return costPhrase
	case word.capital && next.capital:
		return costNoun
	}
	return costWord
}

// amount reports whether word is a number, or the last word of one.
func (word *wordFacts) amount() bool {
	return word.number && !word.ordinal || word.scale || word.numeral
}

// starts reports whether word may be a noun or adjective.
func (word *wordFacts) starts() bool {
	return !word.bound && !word.joining && !word.subject && !word.mark && !word.quoted && !word.bracketed && !word.amount()
}

// counts reports whether word begins a quantity, a date, or a numbered thing that goes on with next: "3 | km", "5 | million", "$ | 5",
// "March | 3", "page | 12", "3 | de marzo".
func (word *wordFacts) counts(next, after *wordFacts) bool {
	amount := word.amount()
	switch {
	case amount && (next.scale || next.grouped && word.number):
		return true
	case amount && next.unit:
		return !next.bound || after != nil && (after.scale || after.unit) // "5 | per cent", but "a hundred | per"
	case (word.number || word.ordinal) && next.month, word.month && next.digits, (word.label || word.currency) && next.digits:
		return true
	case next.link && after != nil:
		return amount && (after.unit || after.month) || word.month && after.digits
	}
	return amount && next.dash && after != nil && after.digits
}

// counted reports whether word joins what is before it to next: "3 de | marzo", "5 – | 10".
func (word *wordFacts) counted(before, next *wordFacts) bool {
	if before == nil {
		return false
	}
	amount := before.amount()
	return word.link && (amount && (next.unit || next.month) || before.month && next.digits) || word.dash && amount && next.digits ||
		amount && word.unit && word.bound // 5 per | cent
}

// names reports whether word is a title or initial before a name.
func (word *wordFacts) names(next *wordFacts) bool {
	return word.title && (next.capital || next.caseless || next.particle || next.title) || word.initial && (next.capital || next.particle)
}

// nameCost returns the cost of a break between parts of a name, or 0. The first word of a sentence has a capital anyway, so a longer
// name rather breaks after it.
func (p *vocabulary) nameCost(before, word, next, after *wordFacts) int {
	known := word.capital && (!p.nounsAreCapital || word.given)
	switch {
	case !p.capitalsName || word.subject || next.subject || word.sentence && !word.initial:
		return 0
	case next.particle && after != nil && known && after.capital:
		return costName
	case word.particle && before != nil && before.capital && (!p.nounsAreCapital || before.given) && next.capital:
		return costName
	case known && next.capital && (before == nil || before.sentence) && after != nil && after.capital && next.open:
		return costBound
	case known && next.capital, word.capital && !p.nounsAreCapital && next.digits:
		return costName
	}
	return 0
}

// vocabulary has the words that show where the phrases of a language begin and end, and which words belong together.
type vocabulary struct {
	roles           map[string]role // by word in lower case
	nounsAreCapital bool            // nouns are capitalised, so capitals don't indicate names
	capitalsName    bool            // this text has capitals only where its language asks for them
	ordinalDots     bool            // "3." is an ordinal number
	spaced          bool            // words have spaces between them
}

// role is a set of the roles that a word can have.
type role uint32

const (
	roleJoining role = 1 << iota
	roleBound
	roleSubject
	roleTrailing
	roleTitle
	roleUnit
	roleScale
	roleNumeral
	roleLabel
	roleMonth
	roleLink
	roleParticle
	roleCurrency
	roleGiven
)

const (
	nameParticles = "van von de der den ter zu af av bin ibn al el da di del della la le dos das do"
	currencies    = "$ € £ ¥ ₹ ₽ ₴ ₺ ₩ us$ r$ a$ c$ kr rs rs. rp usd eur gbp chf jpy inr rub uah try krw cny rmb pln sek nok dkk idr brl mxn"
)

// vocabularyOf returns the vocabulary of a language. Unknown languages have only what is international.
func vocabularyOf(language transcript.Language) *vocabulary {
	p := &vocabulary{roles: map[string]role{}, nounsAreCapital: language == "de", capitalsName: true, spaced: language.Spaced()}
	p.ordinalDots = strings.Contains(" de no pl tr uk ", " "+string(language)+" ")
	for _, row := range smallWords {
		if row.language == language {
			p.add(roleJoining, row.joining)
			p.add(roleBound, row.bound)
			p.add(roleSubject, row.subjects)
			p.add(roleTrailing, row.trailing)
		}
	}
	for _, row := range bondWords {
		if row.language == language || row.language == "" {
			p.add(roleTitle, row.titles)
			p.add(roleUnit, row.units)
			p.add(roleScale, row.scales)
			p.add(roleNumeral, row.numerals)
			p.add(roleLabel, row.labels)
			p.add(roleMonth, row.months)
			p.add(roleLink, row.links)
		}
	}
	p.add(roleParticle, nameParticles)
	p.add(roleCurrency, currencies)
	if p.nounsAreCapital {
		p.add(roleGiven, givenNames)
	}
	return p
}

func (p *vocabulary) add(r role, words string) {
	for w := range strings.FieldsSeq(words) {
		p.roles[w] |= r
	}
}

// roleOf returns the roles of a word in lower case, with or without a full stop at its end.
func (p *vocabulary) roleOf(word string) role {
	return p.roles[word] | p.roles[strings.TrimRight(word, ".")]
}
