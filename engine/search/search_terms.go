package search

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxTerm is where a term is cut, in bytes: longer words are hardly words.
const maxTerm = 60

// Terms returns the terms under which a text is found, in order and as often as they occur: words without case and
// without the marks of their letters. A word with apostrophes is found as a whole without them and by each part
// ("l'amour" as lamour, l and amour). Han, Hiragana, Katakana and Hangul are found by each character and by each two that
// are neighbours. A term has at most 60 bytes.
func Terms(text string) []string {
	var terms []string
	scanText(text, func(l *lexeme) {
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
func scanText(text string, fn func(*lexeme)) {
	s := scanner{fn: fn, lexeme: lexeme{folded: make([]byte, 0, 2*maxTerm)}}
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf && b != '\'' {
			s.ascii(b, i)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 {
			s.flush()
		} else {
			s.rune(r, i, i+n, text[i+n:])
		}
		i += n
	}
	s.flush()
}

// scanner is at work on a lexeme.
type scanner struct {
	lexeme
	last rune // of a run of ideographs
	fn   func(*lexeme)
}

// flush ends the lexeme, if there is any.
func (s *scanner) flush() {
	if len(s.folded) > 0 {
		s.fn(&s.lexeme)
		s.folded, s.cuts, s.at = s.folded[:0], s.cuts[:0], s.at[:0]
	}
}

// begin makes place for a character of this kind.
func (s *scanner) begin(ideographic bool, start int) {
	if s.ideographic != ideographic {
		s.flush()
	}
	if len(s.folded) == 0 {
		s.start, s.ideographic = start, ideographic
	}
}

func (s *scanner) ascii(b byte, i int) {
	lower := b | 0x20
	if !('0' <= b && b <= '9' || 'a' <= lower && lower <= 'z') {
		s.flush()
		return
	}
	s.begin(false, i)
	if b > '9' {
		b = lower
	}
	s.folded, s.end = append(s.folded, b), i+1
}

// rune takes up the character from start to end; rest is the text after it.
func (s *scanner) rune(r rune, start, end int, rest string) {
	switch {
	case isInvisible(r):
	case transcript.IsIdeographic(r), s.ideographic && len(s.folded) > 0 && unicode.IsMark(r):
		s.ideograph(r, start, end)
	case isApostrophe(r):
		if len(s.folded) > 0 && !s.ideographic && letterFollows(rest) {
			s.cuts = append(s.cuts, len(s.folded))
		} else {
			s.flush()
		}
	case !transcript.IsWordRune(r), len(s.folded) == 0 && unicode.IsMark(r):
		s.flush()
	default:
		s.begin(false, start)
		s.folded, s.end = appendLetter(s.folded, r), end
	}
}

// ideograph takes up an ideograph, or a mark that stands on one.
func (s *scanner) ideograph(r rune, start, end int) {
	s.begin(true, start)
	if n := len(s.cuts); n > 0 {
		if joined, ok := joinIdeographs(s.last, r); ok {
			s.folded, s.last, s.end = utf8.AppendRune(s.folded[:s.cuts[n-1]], joined), joined, end
			return
		}
	}
	if transcript.IsIdeographic(r) {
		s.cuts, s.at, s.last = append(s.cuts, len(s.folded)), append(s.at, start), r
		s.folded, s.end = utf8.AppendRune(s.folded, r), end
	}
}

// isInvisible reports whether a character only says how its neighbours are drawn: soft hyphen, joiners, word joiner.
func isInvisible(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff'
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '＇' }

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return transcript.IsWordRune(r) && !isApostrophe(r) && !unicode.IsMark(r) && !transcript.IsIdeographic(r)
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
	scanText(query, func(l *lexeme) {
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
