package transcript

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Masked is a text in which the terms that must survive a translation are replaced by tokens: [[T0]], [[T1]], ….
type Masked struct {
	Text  string
	terms []string // by the number of their token, as they were written
}

// termToken matches what stands for a term. A text that has one of its own has it masked like a term.
var termToken = regexp.MustCompile(`\[\[T([0-9]+)\]\]`)

// tokenAhead is termToken at the beginning of a text; it looks no further, so that masking takes time by the text's length.
var tokenAhead = regexp.MustCompile(`^\[\[T[0-9]+\]\]`)

// Mask replaces every occurrence of a term as a whole word, the first of terms where several fit. Case must agree, because
// it does where the term was written by a custom spelling.
func Mask(text string, terms []string) Masked {
	m := Masked{}
	var b strings.Builder
	for rest := text; rest != ""; {
		n := termAt(text[:len(text)-len(rest)], rest, terms)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:n])
		} else {
			b.WriteString("[[T" + strconv.Itoa(m.number(rest[:n])) + "]]")
		}
		rest = rest[n:]
	}
	m.Text = b.String()
	return m
}

// number returns the token number of a term.
func (m *Masked) number(term string) int {
	for i, t := range m.terms {
		if t == term {
			return i
		}
	}
	m.terms = append(m.terms, term)
	return len(m.terms) - 1
}

// termAt returns how long the term is that rest begins with, 0 when there is none.
func termAt(before, rest string, terms []string) int {
	if token := tokenAhead.FindString(rest); token != "" {
		return len(token)
	}
	for _, t := range terms {
		if strings.HasPrefix(rest, t) && wordEdge(before, t) && wordEdge(t, rest[len(t):]) {
			return len(t)
		}
	}
	return 0
}

// wordEdge reports whether no word goes on from a into b. Chinese and Japanese words begin anywhere.
func wordEdge(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return !IsWordRune(last) || !IsWordRune(first) || IsWide(string(last)) || IsWide(string(first))
}

// Unmask puts the terms back; ok is false unless each token is there exactly as often as in the masked text, and no other.
func (m Masked) Unmask(translated string) (text string, ok bool) {
	want, got := m.count(m.Text), m.count(translated)
	for i := range want {
		if want[i] != got[i] {
			return "", false
		}
	}
	if len(termToken.FindAllString(translated, -1)) != len(termToken.FindAllString(m.Text, -1)) {
		return "", false
	}
	return termToken.ReplaceAllStringFunc(translated, func(t string) string {
		n, _ := strconv.Atoi(termToken.FindStringSubmatch(t)[1])
		return m.terms[n]
	}), true
}

// count returns how often each token is in a text.
func (m Masked) count(text string) []int {
	counts := make([]int, len(m.terms))
	for _, found := range termToken.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(found[1]); err == nil && n < len(counts) {
			counts[n]++
		}
	}
	return counts
}

// Pieces returns what stands between the tokens of the masked text, and the terms between those pieces.
func (m Masked) Pieces() (pieces, terms []string) {
	pieces = termToken.Split(m.Text, -1)
	for _, found := range termToken.FindAllStringSubmatch(m.Text, -1) {
		n, _ := strconv.Atoi(found[1])
		terms = append(terms, m.terms[n])
	}
	return pieces, terms
}

// Accept returns a translation with its terms put back; ok is false when a term or the whole text is missing.
func (m Masked) Accept(translated string) (text string, ok bool) {
	text, ok = m.Unmask(OneLine(strings.ToValidUTF8(translated, "\uFFFD")))
	return text, ok && (text != "" || strings.TrimSpace(m.Text) == "")
}

// HasTermToken reports whether a text has a token that stands for a term.
func HasTermToken(text string) bool { return termToken.MatchString(text) }
