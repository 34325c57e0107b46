package engine

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// maxTerm is where a term is cut, in bytes: longer words are hardly words.
const maxTerm = 60

// SearchTerms returns the terms under which a text is found, in order and as often as they occur: words without case and
// without the marks of their letters. A word with apostrophes is found as a whole without them and by each part
// ("l'amour" as lamour, l and amour). Han, Hiragana, Katakana and Hangul are found by each character and by each two that
// are neighbours. A term has at most 60 bytes.
func SearchTerms(text string) []string {
	var terms []string
	scanText(text, func(l lexeme) {
		l.each(func(term []byte) { terms = append(terms, string(term)) })
	})
	return terms
}

// lexeme is a word of a text, or a run of ideographs. It is only valid until the next one is scanned.
type lexeme struct {
	folded      []byte // as search compares it
	start, end  int    // bytes of the text
	ideographic bool
	cuts        []int // in folded: where each ideograph begins, or where each apostrophe of a word stood
	at          []int // in the text: where each ideograph begins
}

// each calls fn with every term of the lexeme. fn must not keep the bytes.
func (l *lexeme) each(fn func([]byte)) {
	if !l.ideographic {
		fn(cutTerm(l.folded))
		last := 0
		for _, cut := range l.cuts {
			fn(cutTerm(l.folded[last:cut]))
			last = cut
		}
		if last > 0 {
			fn(cutTerm(l.folded[last:]))
		}
		return
	}
	for i := range l.cuts {
		fn(l.folded[l.cuts[i]:l.cut(i+1)])
		if i+1 < len(l.cuts) {
			fn(l.folded[l.cuts[i]:l.cut(i+2)])
		}
	}
}

// cut returns where the i-th ideograph begins in folded, or its end.
func (l *lexeme) cut(i int) int {
	if i < len(l.cuts) {
		return l.cuts[i]
	}
	return len(l.folded)
}

// cutTerm shortens a term to maxTerm, at the end of a character.
func cutTerm(term []byte) []byte {
	if len(term) <= maxTerm {
		return term
	}
	n := maxTerm
	for !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}

// scanText calls fn with each lexeme of a text. Bytes that are no UTF-8 stand between lexemes.
func scanText(text string, fn func(lexeme)) {
	var l lexeme
	flush := func() {
		if len(l.folded) > 0 {
			fn(l)
		}
		l.folded, l.cuts, l.at = l.folded[:0], l.cuts[:0], l.at[:0]
	}
	var last rune // of a run of ideographs
	for i := 0; i < len(text); {
		r, n := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch {
		case r == utf8.RuneError && n <= 1, len(l.folded) == 0 && unicode.IsMark(r):
			flush()
		case isInvisible(r):
		case l.ideographic && len(l.folded) > 0 && joins(&last, r):
			l.folded = utf8.AppendRune(l.folded[:l.cuts[len(l.cuts)-1]], last)
			l.end = i + n
		case isIdeographic(r):
			if !l.ideographic {
				flush()
			}
			if len(l.folded) == 0 {
				l.start, l.ideographic = i, true
			}
			l.cuts, l.at, last = append(l.cuts, len(l.folded)), append(l.at, i), r
			l.folded, l.end = utf8.AppendRune(l.folded, r), i+n
		case isApostrophe(r) && len(l.folded) > 0 && !l.ideographic && letterFollows(text[i+n:]):
			l.cuts = append(l.cuts, len(l.folded))
		case isApostrophe(r), !isWordRune(r):
			flush()
		default:
			if l.ideographic && !unicode.IsMark(r) {
				flush()
			}
			if len(l.folded) == 0 {
				l.start, l.ideographic = i, false
			}
			if !l.ideographic {
				l.folded, l.end = appendLetter(l.folded, r), i+n
			}
		}
		i += n
	}
	flush()
}

// joins makes one character of the last ideograph and the next where they are one.
func joins(last *rune, next rune) bool {
	joined, ok := joinIdeographs(*last, next)
	*last = joined
	return ok
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isInvisible reports whether a character only says how its neighbours are drawn: soft hyphen, joiners, word joiner.
func isInvisible(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff'
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '＇' }

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isWordRune(r) && !isApostrophe(r) && !unicode.IsMark(r) && !isIdeographic(r)
}

// queryUnit is what a document must have: a word, or a run of ideographs as it stands.
type queryUnit struct {
	text        string   // folded
	terms       []string // that the index must have: the word; or the run's pairs, or its only character
	ideographic bool
}

// queryUnits returns the units of a query, each once.
func queryUnits(query string) []queryUnit {
	var units []queryUnit
	scanText(query, func(l lexeme) {
		u := queryUnit{text: string(l.folded), ideographic: l.ideographic}
		switch {
		case !l.ideographic:
			u.text = string(cutTerm(l.folded))
			u.terms = []string{u.text}
		case len(l.cuts) == 1:
			u.terms = []string{u.text}
		default:
			for i := range l.cuts[1:] {
				u.terms = append(u.terms, u.text[l.cuts[i]:l.cut(i+2)])
			}
		}
		if !slices.ContainsFunc(units, func(v queryUnit) bool { return v.text == u.text }) {
			units = append(units, u)
		}
	})
	return units
}
