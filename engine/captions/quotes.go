package captions

import (
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// quotes tells which quotation marks open and which close, for marks that are words of their own. A mark that can do both alternates.
type quotes struct {
	language transcript.Language
	open     map[rune]bool
}

// facts returns the facts of a word that is only a quotation mark, or nil for other words.
func (q *quotes) facts(word string) *wordFacts {
	r, n := utf8.DecodeRuneInString(word)
	if n != len(word) || !isQuote(r) {
		return nil
	}
	opens := q.opens(r)
	f := &wordFacts{columns: 1, chars: 1, neverLast: opens, neverFirst: !opens, mark: true}
	f.setEnds(word)
	return f
}

func (q *quotes) opens(r rune) bool {
	either := `"'`
	switch q.language {
	case "de":
		if strings.ContainsRune("„‚»›", r) || strings.ContainsRune("“‘«‹", r) {
			return strings.ContainsRune("„‚»›", r)
		}
	case "sv":
		either += "”’»"
	}
	if !strings.ContainsRune(either, r) {
		return !neverFirst(r)
	}
	if q.open == nil {
		q.open = map[rune]bool{}
	}
	q.open[r] = !q.open[r]
	return q.open[r]
}
