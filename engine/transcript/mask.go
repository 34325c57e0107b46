package transcript

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Masked is a text in which protected terms are replaced by tokens: [[T0]], [[T1]], ….
type Masked struct {
	Text  string
	terms []string // by token number, as written
}

// termToken matches a token. Tokens in the original text are masked like terms.
var termToken = regexp.MustCompile(`\[\[T([0-9]+)\]\]`)

// tokenAhead matches a token at the start of a text only, so that masking takes linear time.
var tokenAhead = regexp.MustCompile(`^\[\[T[0-9]+\]\]`)

// Mask replaces every occurrence of a term as a whole word. If several terms match, it takes the first. Matching is
// case-sensitive, because custom spellings write terms in their exact case.
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

// number returns the token number of a term, adding the term if it is new.
func (m *Masked) number(term string) int {
	for i, t := range m.terms {
		if t == term {
			return i
		}
	}
	m.terms = append(m.terms, term)
	return len(m.terms) - 1
}

// termAt returns the length of the term or token at the start of rest, or 0.
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

// wordEdge reports whether there is a word border between a and b. Chinese and Japanese words may begin anywhere.
func wordEdge(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return !IsWordRune(last) || !IsWordRune(first) || IsWide(string(last)) || IsWide(string(first))
}

// Unmask replaces tokens by their terms. ok is false unless translated has exactly the tokens of the masked text.
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

// count returns how often each token occurs in a text.
func (m Masked) count(text string) []int {
	counts := make([]int, len(m.terms))
	for _, found := range termToken.FindAllStringSubmatch(text, -1) {
		if n, err := strconv.Atoi(found[1]); err == nil && n < len(counts) {
			counts[n]++
		}
	}
	return counts
}

// Pieces returns the texts between the tokens, and the terms between those texts.
func (m Masked) Pieces() (pieces, terms []string) {
	pieces = termToken.Split(m.Text, -1)
	for _, found := range termToken.FindAllStringSubmatch(m.Text, -1) {
		n, _ := strconv.Atoi(found[1])
		terms = append(terms, m.terms[n])
	}
	return pieces, terms
}

// Accept returns a translation with its terms restored. ok is false when a term or the whole text is missing.
func (m Masked) Accept(translated string) (text string, ok bool) {
	text, ok = m.Unmask(OneLine(strings.ToValidUTF8(translated, "\uFFFD")))
	return text, ok && (text != "" || strings.TrimSpace(m.Text) == "")
}

// HasTermToken reports whether a text has a token.
func HasTermToken(text string) bool { return termToken.MatchString(text) }
