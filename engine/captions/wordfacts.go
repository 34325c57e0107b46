package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordFacts are properties of a word. They are cached, because speech has few different words.
type wordFacts struct {
	columns    int  // width on screen
	chars      int  // for reading speed
	neverFirst bool // can't begin a line
	neverLast  bool // can't end a line
	sentence   bool // ends a sentence
	clause     bool // ends a clause
	open       bool // has no punctuation after it that would end a phrase
	quoted     bool // begins a quotation
	bracketed  bool // begins with a bracket
	mark       bool // has no letter or digit

	joining, bound, subject, trailing                      bool // small words
	number, digits, ordinal, grouped, year, numeral, scale bool // numbers: 3.5, begins with digits, 3., 000, 1999, three, million
	unit, currency, month, label, link, dash               bool // what stands beside numbers
	capital, caseless, initial                             bool // how the word is written
	title, given, particle                                 bool // what stands in names
}

func (p *vocabulary) facts(word string) *wordFacts {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, noBreakSpaces))
	last, _ := utf8.DecodeLastRuneInString(word)
	end, _ := utf8.DecodeLastRuneInString(endsClosed(word))
	mark := strings.IndexFunc(word, isLetterOrDigit) < 0 // no letter or digit: the word is punctuation or a symbol
	f := &wordFacts{
		columns:    displayWidth(word),
		chars:      utf8.RuneCountInString(word),
		neverFirst: neverFirst(first) && (mark || !isQuote(first)),
		neverLast:  unicode.Is(unicode.Ps, last) || last == '¿' || last == '¡' || mark && unicode.Is(unicode.Pi, last),
		sentence:   strings.ContainsRune(".?!。？！।…", end),
		clause:     strings.ContainsRune(",;:、，；：،–—", end) || unicode.IsPunct(end) && word == string(end),
		open:       isLetterOrDigit(last) || unicode.In(last, unicode.Sc, unicode.M) || strings.ContainsRune(".%‰°§№#'’", last),
		quoted:     !mark && isQuote(first),
		bracketed:  !mark && unicode.Is(unicode.Ps, first) && !isQuote(first),
		mark:       mark,
		dash:       word == "-" || word == "–" || word == "—",
	}
	p.setRoles(f, word)
	return f
}

// setRoles sets the facts that depend on the language. As the first of two words, a word may have an opening mark before it; as the
// second, it may have closing marks after it.
func (p *vocabulary) setRoles(f *wordFacts, word string) {
	small := strings.ToLower(word)
	head := strings.TrimLeftFunc(small, isOpening)
	tail := strings.TrimRightFunc(small, isClosing)
	asFirst, asSecond := p.roleOf(head), p.roleOf(tail)|p.roleOf(withoutElision(tail))
	f.joining, f.bound, f.subject = asFirst&roleJoining != 0, asFirst&roleBound != 0, asFirst&roleSubject != 0
	f.trailing = asSecond&roleTrailing != 0
	f.title, f.given, f.label, f.link = asFirst&roleTitle != 0, asFirst&roleGiven != 0, asFirst&roleLabel != 0, asFirst&roleLink != 0
	f.scale, f.numeral, f.month = (asFirst|asSecond)&roleScale != 0, asFirst&roleNumeral != 0, (asFirst|asSecond)&roleMonth != 0
	f.unit, f.particle, f.currency = asSecond&roleUnit != 0 || strings.Contains(" W V A ", " "+word+" "), asFirst&roleParticle != 0, asFirst&roleCurrency != 0

	digits := strings.TrimLeftFunc(head, func(r rune) bool {
		return unicode.Is(unicode.Sc, r) || r == '-' || r == '−' || r == '+' || r == '±' || r == '~'
	})
	first, _ := utf8.DecodeRuneInString(digits)
	f.digits = unicode.IsDigit(first)
	f.number = strings.IndexFunc(head, unicode.IsDigit) >= 0
	if f.number && strings.HasSuffix(small, ".") {
		f.ordinal = p.ordinalDots && utf8.RuneCountInString(head) <= 3
		f.number = f.ordinal
	}
	f.year = f.number && len(digits) == 4 && (strings.HasPrefix(digits, "1") || strings.HasPrefix(digits, "20")) && strings.Trim(digits, "0123456789") == ""
	f.grouped = len(tail) == 3 && strings.Trim(tail, "0123456789") == ""
	if f.dash {
		f.open = true
	}
	p.setCase(f, strings.TrimLeftFunc(word, isOpening))
}

// setCase sets whether a word without opening marks is capitalised, an initial, or in a script without case.
func (p *vocabulary) setCase(f *wordFacts, word string) {
	first, n := utf8.DecodeRuneInString(word)
	f.capital = unicode.IsUpper(first) || unicode.IsTitle(first)
	f.initial = f.capital && word[n:] == "."
	f.caseless = unicode.IsLetter(first) && !f.capital && !unicode.IsLower(first)
}

// withoutElision removes the article or preposition that French and Italian write together with a word: d'euros.
func withoutElision(word string) string {
	for _, mark := range []string{"'", "’"} {
		if before, rest, ok := strings.Cut(word, mark); ok && len(before) <= 4 {
			return rest
		}
	}
	return word
}

const noBreakSpaces = "\u00a0\u202f\u2060"

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isQuote reports whether r is a quotation mark. Which of them open depends on the language: »Ja«, «Oui», ”Ja”.
func isQuote(r rune) bool {
	return r == '"' || r == '\'' || unicode.In(r, unicode.Pi, unicode.Pf) || r == '„' || r == '‚'
}

func isQuoteOrBracket(r rune) bool { return isQuote(r) || unicode.Is(unicode.Pe, r) }

func isOpening(r rune) bool {
	return isQuote(r) || unicode.Is(unicode.Ps, r) || r == '¿' || r == '¡' || strings.ContainsRune(noBreakSpaces, r)
}

func isClosing(r rune) bool {
	return isQuote(r) || unicode.Is(unicode.Pe, r) || strings.ContainsRune(",;:!?…、。，；：！？।"+noBreakSpaces, r)
}

// neverFirst reports whether a character can't begin a line: closing punctuation, small kana, and similar (JIS X 4051, GB/T
// 15834).
func neverFirst(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.ContainsRune(",.!?;:)]}%", r)
	}
	return unicode.In(r, unicode.Pe, unicode.Pf) ||
		strings.ContainsRune("、。，．・：；？！ーゝゞヽヾ々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥।°‰", r)
}
