package search

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxTerm is the longest term in bytes; longer ones are truncated.
const maxTerm = 60

// Terms returns the terms of a text, in order and with repetitions: words in one case and without diacritics. A word with
// apostrophes has a term without them and one for each part ("l'amour": lamour, l, amour). Han, Hiragana, Katakana, and Hangul
// have a term for each character and each pair of neighbours. A term has at most 60 bytes.
func Terms(text string) []string {
	var terms []string
	scanText(text, func(l *lexeme) {
		l.each(func(term []byte) { terms = append(terms, string(term)) })
	})
	return terms
}

// lexeme is a word of a text, or a run of ideographs. It is valid only until the next one is scanned.
type lexeme struct {
	folded      []byte // as search compares it
	start, end  int    // bytes of the text
	ideographic bool
	cuts        []int // in folded: start of each ideograph, or position of each apostrophe of a word
	at          []int // in the text: start of each ideograph
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

// cut returns the start of the i-th ideograph in folded, or its end.
func (l *lexeme) cut(i int) int {
	if i < len(l.cuts) {
		return l.cuts[i]
	}
	return len(l.folded)
}

// cutTerm shortens a term to maxTerm at a character border.
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

// scanText calls fn with each lexeme of a text. Invalid UTF-8 separates lexemes.
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

// scanner builds lexemes.
type scanner struct {
	lexeme
	last rune // of a run of ideographs
	fn   func(*lexeme)
}

// flush ends the current lexeme.
func (s *scanner) flush() {
	if len(s.folded) > 0 {
		s.fn(&s.lexeme)
		s.folded, s.cuts, s.at = s.folded[:0], s.cuts[:0], s.at[:0]
	}
}

// begin prepares for a character of this kind.
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

// rune adds the character from start to end; rest is the text after it.
func (s *scanner) rune(r rune, start, end int, rest string) {
	r = fullWidth(r)
	switch {
	case isInvisible(r), isPoint(r):
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

// ideograph adds an ideograph, or a mark on one.
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

// isInvisible reports whether a character only affects how its neighbours are drawn: soft hyphen, joiners, word joiner.
func isInvisible(r rune) bool {
	return r == '\u00ad' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff'
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' || r == '＇' }

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return transcript.IsWordRune(r) && !isApostrophe(r) && !unicode.IsMark(r) && !transcript.IsIdeographic(r)
}

// queryUnit is what a document must have: a word, or a run of ideographs exactly as written.
type queryUnit struct {
	text        string   // folded
	terms       []string // that the index must have: the word, the run's pairs, or its only character
	ideographic bool
}

// queryUnits returns the distinct units of a query.
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
