package formats

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// stlSpellings spell typography and currencies that a code table lacks. Letters are never replaced.
var stlSpellings = map[rune]string{
	'–': "-", '—': "-", '―': "-", '‒': "-", '\u2010': "-", '\u2011': "-", '−': "-", '…': "...", '•': "-", '′': "'", '″': `"`, '×': "x", '№': "No.",
	'€': "EUR", '₽': "RUB", '₴': "UAH", '₺': "TRY", '₹': "INR", '₩': "KRW", '£': "GBP", '¥': "JPY", '™': "(TM)", '©': "(C)", '®': "(R)",
	'\u00a0': " ", '\u202f': " ", '\u2007': " ", '\u2009': " ", '\u3000': " ", '\u200b': "", '\u200c': "", '\u200d': "", '\u200e': "", '\u200f': "", '\u2060': "", '\u00ad': "", '\ufe0f': "",
}

// stlQuotes are the quotation marks that straight ones replace. If the table lacks one of a kind, all are replaced, so that pairs match.
var stlQuotes = []struct{ curly, straight string }{{"“”„‟«»", `"`}, {"‘’‚‛‹›", "'"}}

// spellSTL spells a transcript with the characters of the first code table that has all its letters, and returns that table. names tells whether
// names are shown. If no table has all letters, the error names those that the best table lacks.
func spellSTL(s *script, names bool) (stlTable, error) {
	var missing map[rune]time.Duration
	for _, table := range stlWriteable {
		lacking := map[rune]time.Duration{} // first appearances
		spell := stlSpeller(table, s, names)
		for _, u := range s.Utterances {
			for _, r := range spell(shownSTL(u, names)) {
				if _, ok := table.encode(nil, r); ok {
					continue
				}
				if _, known := lacking[r]; !known {
					lacking[r] = u.Start
				}
			}
		}
		if len(lacking) == 0 {
			s.respell(spell)
			return table, nil
		}
		if missing == nil || len(lacking) < len(missing) {
			missing = lacking
		}
	}
	characters := make([]rune, 0, len(missing))
	at := captions.MaxTime
	for r, start := range missing {
		characters, at = append(characters, r), min(at, start)
	}
	slices.Sort(characters)
	return stlTable{}, fault.Errorf(fault.CodeUnprocessable, "WriteSTL", "EBU STL has no code for %s (first at %s).", quoted(characters), clock(at)).
		WithHint("Use ttml or ebuttd, which have all characters.")
}

// shownSTL returns what viewers see of an utterance.
func shownSTL(u captions.Utterance, names bool) string {
	if names {
		return u.Name + u.Text
	}
	return u.Text
}

// stlSpeller returns a function that spells text with what a table has, as far as that is possible.
func stlSpeller(table stlTable, s *script, names bool) func(string) string {
	lacks := func(r rune) bool {
		_, ok := table.encode(nil, r)
		return !ok
	}
	straight := map[rune]string{}
	for _, q := range stlQuotes {
		lacking := func(r rune) bool { return strings.ContainsRune(q.curly, r) && lacks(r) }
		if slices.ContainsFunc(s.Utterances, func(u captions.Utterance) bool { return strings.ContainsFunc(shownSTL(u, names), lacking) }) {
			for _, r := range q.curly {
				straight[r] = q.straight
			}
		}
	}
	return func(text string) string {
		var b strings.Builder
		for _, r := range norm.NFC.String(text) {
			if mark, ok := straight[r]; ok {
				b.WriteString(mark)
			} else if spelled, ok := stlSpellings[r]; ok && lacks(r) {
				b.WriteString(spelled)
			} else {
				b.WriteRune(r)
			}
		}
		return captions.CleanText(b.String())
	}
}

// respell changes every text. Words and utterances of which nothing is left are dropped.
func (s *script) respell(spell func(string) string) {
	for i := range s.Utterances {
		u := &s.Utterances[i]
		u.Text, u.Name = spell(u.Text), spell(u.Name)
		for j := range u.Words {
			u.Words[j].Text = spell(u.Words[j].Text)
		}
		u.Words = slices.DeleteFunc(u.Words, func(w transcript.Word) bool { return w.Text == "" })
	}
	s.Utterances = slices.DeleteFunc(s.Utterances, func(u captions.Utterance) bool { return u.Text == "" })
}

const maxQuoted = 10 // characters in an error

func quoted(characters []rune) string {
	var all []string
	for _, r := range characters[:min(len(characters), maxQuoted)] {
		if unicode.IsGraphic(r) && !unicode.Is(unicode.M, r) {
			all = append(all, string(r))
		} else {
			all = append(all, fmt.Sprintf("%U", r))
		}
	}
	if n := len(characters) - len(all); n > 0 {
		return fmt.Sprintf("%s, and %d more characters", strings.Join(all, ", "), n)
	}
	return strings.Join(all, ", ")
}
