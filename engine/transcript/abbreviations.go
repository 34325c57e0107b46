package transcript

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// abbreviationRows has the abbreviations of each language. Its head explains the rows.
//
//go:embed abbreviations.txt
var abbreviationRows string

// abbreviation is what the full stop of a listed word means. A word may be in several rows.
type abbreviation byte

const (
	beforeName   abbreviation = 1 << iota // row title
	beforeWord                            // row abbr
	beforeNumber                          // row number
	beforeLower                           // row final
)

var abbreviationKinds = map[string]abbreviation{"title": beforeName, "abbr": beforeWord, "number": beforeNumber, "final": beforeLower}

// stops are the words of one language that decide whether a full stop ends a sentence.
type stops struct {
	abbreviations map[string]abbreviation // without the full stop
	starts, names map[string]bool         // in lower case
}

// IsGivenName reports whether a word in lower case is one of the frequent given names of a language. Only languages have some where a
// capital doesn't show a name (German) or where ordinals have a full stop and a capital after it (German, Turkish).
func IsGivenName(word string, l Language) bool {
	s := allStops()[l]
	return s != nil && s.names[word]
}

// stopsOf returns the words of a language. Unknown languages have those of English.
func stopsOf(l Language) *stops {
	if s := allStops()[l]; s != nil {
		return s
	}
	return allStops()[DefaultLanguage]
}

var allStops = sync.OnceValue(func() map[Language]*stops {
	all := map[Language]*stops{}
	for line := range strings.Lines(abbreviationRows) {
		row := strings.Fields(line)
		if len(row) < 3 || row[0] == "#" {
			continue
		}
		l := Language(row[0])
		if all[l] == nil {
			all[l] = &stops{abbreviations: map[string]abbreviation{}, starts: map[string]bool{}, names: map[string]bool{}}
		}
		all[l].add(strings.TrimSuffix(row[1], "*"), row[2:], l)
	}
	return all
})

func (s *stops) add(row string, words []string, l Language) {
	for _, w := range words {
		switch row {
		case "starts":
			s.starts[w] = true
			continue
		case "names":
			s.names[w] = true
			continue
		}
		for _, form := range []string{w, capitalised(w, l), upper(w, l)} {
			s.abbreviations[form] |= abbreviationKinds[row]
			if utf8.RuneCountInString(w) == 1 {
				break // its capital is an initial
			}
		}
	}
}

// capitalised returns a word with its first letter in upper case.
func capitalised(w string, l Language) string {
	_, n := utf8.DecodeRuneInString(w)
	return upper(w[:n], l) + w[n:]
}

func upper(s string, l Language) string {
	if l == "tr" {
		return strings.ToUpperSpecial(unicode.TurkishCase, s)
	}
	return strings.ToUpper(s)
}

func lower(s string, l Language) string {
	if l == "tr" {
		return strings.ToLowerSpecial(unicode.TurkishCase, s)
	}
	return strings.ToLower(s)
}
