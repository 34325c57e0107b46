package captions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/phrases"
	"github.com/soundstage-dev/soundstage/engine/transcript"
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

	joining, bound, loose, subject, trailing               bool // small words
	relative, adverb                                       bool // begins a relative clause; is a preposition that may also end a clause
	number, digits, ordinal, grouped, year, numeral, scale bool // numbers: 3.5, begins with digits, 3., 000, 1999, three, million
	unit, currency, month, label, link, dash, dated        bool // what stands beside numbers
	capital, caseless, initial                             bool // how the word is written
	possible, auxiliary                                    bool // Korean: 수 in 할 수 있다, and 있다
	ending                                                 int  // Korean: the cost of a break after the word

	title, given, particle bool // what stands in names

	small string   // the word in lower case without closing marks
	pairs []string // what it stays together with as the first of two words

	first, last                        rune
	digitFirst, digitLast, numeralLast bool           // of Chinese and Japanese quantities
	titles                             []string       // of Chinese and Japanese that begin as the word does
	piece                              *phrases.Piece // of Chinese and Japanese; nil until it is needed
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
		dash:       word == "-" || word == "–" || word == "—" || strings.Contains(p.between, " "+strings.ToLower(word)+" "),
	}
	p.setRoles(f, word)
	f.setEnds(word)
	return f
}

// setEnds sets the first and the last character, and what they are.
func (f *wordFacts) setEnds(word string) {
	f.first, _ = utf8.DecodeRuneInString(word)
	f.last, _ = utf8.DecodeLastRuneInString(word)
	f.digitFirst, f.digitLast, f.numeralLast = unicode.IsDigit(f.first), unicode.IsDigit(f.last), isNumeral(f.last)
	f.titles = eastAsianTitles[f.first]
}

// setRoles sets the facts that depend on the language. As the first of two words, a word may have an opening mark before it; as the
// second, it may have closing marks after it.
func (p *vocabulary) setRoles(f *wordFacts, word string) {
	small := strings.ToLower(word)
	head := strings.TrimLeftFunc(small, isOpening)
	tail := strings.TrimRightFunc(small, isClosing)
	asFirst, asSecond := p.roleOf(head), p.roleOf(tail)|p.roleOf(withoutElision(tail))
	if p.elides {
		asFirst |= p.roleOf(withoutElision(head)) & (roleBound | roleJoining | roleSubject)
	}
	f.joining, f.bound, f.subject = asFirst&roleJoining != 0, asFirst&roleBound != 0, asFirst&roleSubject != 0
	f.trailing = asSecond&roleTrailing != 0
	f.small, f.pairs = tail, p.pairs[head]
	f.loose, f.relative = asFirst&roleLoose != 0, p.stranded && strings.Contains(" which who whom whose what how ", " "+tail+" ")
	f.given = p.nounsAreCapital && transcript.IsGivenName(head, p.language)
	f.adverb = p.stranded && strings.Contains(strandedWords, " "+head+" ")
	f.title, f.label, f.link = (asFirst|p.roles[strings.TrimLeftFunc(word, isOpening)])&roleTitle != 0, asFirst&roleLabel != 0, asFirst&roleLink != 0
	f.scale, f.numeral, f.month = (asFirst|asSecond)&roleScale != 0, asFirst&roleNumeral != 0 || p.compoundNumeral(head), (asFirst|asSecond)&roleMonth != 0
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
	if f.dash && f.mark {
		f.open = true
	}
	if p.korean {
		f.setKorean(p, head, tail)
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
		if before, rest, ok := strings.Cut(word, mark); ok && len(before) <= len("jusqu") {
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
