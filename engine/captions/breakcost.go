package captions

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
	costTorn     = 12000 // inside a word of Chinese or Japanese
	costUnit     = 20000 // between number and unit, title and name
	costNever    = 60000 // inside a word, before closing punctuation, after opening punctuation
)

// breakCost returns the cost of a break between word and next. The words before and after those two may be nil.
func (p *vocabulary) breakCost(before, word, next, after *wordFacts) int {
	name := 0
	bound := word.bound && (!word.trailing || next.starts()) // Norwegian "sin bil", but "bilen sin"
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
	case bound && next.amount():
		return costBound + costWord
	case bound && next.bound && p.stranded && word.adverb && next.adverb:
		return costWord
	case bound && next.bound:
		return costBound + costPhrase
	case word.amount() && !word.year && next.starts() && !word.numbers(before):
		return 2 * costBound
	case bound && (!next.joining || next.relative || !p.stranded), next.trailing && p.spaced && !next.precedes(after), word.quoted && word.open,
		word.loose && (next.bound || next.loose || next.amount()), word.numbered(next, after), word.pairsWith(next, after), before != nil && before.compares(word, next):
		return costBound
	case word.possible && next.auxiliary:
		return costBound
	case word.joining, next.trailing, word.subject && !next.joining, word.bracketed, word.year && next.starts():
		return costApart
	case p.korean && !next.joining && !word.trailing:
		return word.ending
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
	return !word.bound && !word.joining && !word.subject && !word.mark && !word.quoted && !word.bracketed && !word.amount() && !word.loose
}

// precedes reports whether a possessive that may follow its noun stands before it: Norwegian "sin bil", but "bilen sin".
func (word *wordFacts) precedes(after *wordFacts) bool {
	return word.bound && after != nil && after.starts()
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
	case (word.number || word.ordinal || word.numeral) && next.month, word.month && next.digits && !next.measures(after):
		return true
	case word.dated && next.digits:
		return true
	case word.label && (next.digits || next.numeral || next.scale), word.currency && next.digits:
		return true
	case next.link && after != nil:
		return amount && (after.unit || after.month) || word.month && after.digits
	}
	return amount && next.dash && after != nil && after.digits
}

// measures reports whether word counts a unit that is next.
func (word *wordFacts) measures(next *wordFacts) bool {
	return word.open && word.amount() && next != nil && (next.unit || next.scale)
}

// numbers reports whether an amount counts nothing: it is the number of a thing, the year of a date, or the end of "per cent".
func (word *wordFacts) numbers(before *wordFacts) bool {
	return before != nil && (before.label || before.month || word.unit && before.bound)
}

// numbered reports whether next is the number of word, as in "gate | 7", because it counts nothing that comes after it.
func (word *wordFacts) numbered(next, after *wordFacts) bool {
	if !next.digits || !word.open || !word.starts() {
		return false
	}
	return !next.open || after == nil || after.joining || after.bound || after.trailing || after.mark
}

// counted reports whether word joins what is before it to next: "3 de | marzo", "5 – | 10".
func (word *wordFacts) counted(before, next *wordFacts) bool {
	if before == nil {
		return false
	}
	amount := before.amount()
	return word.link && (amount && (next.unit || next.month) || before.month && next.digits) || word.dash && amount && next.digits ||
		amount && word.unit && word.bound || // 5 per | cent
		amount && word.small == "h" && next.digits // 7 h | 45
}

// names reports whether word is a title or initial before a name.
func (word *wordFacts) names(next *wordFacts) bool {
	return word.title && (next.capital || next.caseless || next.particle || next.title) || word.initial && (next.capital || next.particle)
}

// nameCost returns the cost of a break between parts of a name, or 0. The first word of a sentence has a capital anyway, so a longer
// name rather breaks after it.
func (p *vocabulary) nameCost(before, word, next, after *wordFacts) int {
	first := before == nil || before.sentence || before.clause && !before.open || word.quoted
	switch {
	case !p.capitalsName || word.subject || next.subject || word.sentence && !word.initial:
		return 0
	case p.nounsAreCapital && word.capital && next.capital && word.given:
		return costName
	case p.nounsAreCapital && word.capital && next.capital && !first && !word.amount() && !word.unit:
		return costBound / 2 // a name, or what belongs together as well: ein Glas Wasser
	case p.nounsAreCapital:
		return 0
	case word.capital && next.capital && first && after != nil && next.open && (after.capital || after.particle):
		return costBound
	case word.capital && next.capital, word.capital && next.digits && !next.measures(after):
		return costName
	}
	return 0
}
