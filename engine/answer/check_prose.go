package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// CheckProse returns what is wrong with an overview, topics, or posts: places that were not given, quotations of five words or more that
// nobody says, and texts about something else. alien is whether the text may be in another language than the transcript.
func (s *Source) CheckProse(text string, alien bool) []Fault {
	var f faults
	s.checkCitations(&f, text, false)
	n := 0
	for line := range strings.Lines(text) {
		for _, q := range quotations(line) {
			if n++; n <= maxItems && !alien && isLong(q) && !s.says(letters(q)) {
				f.add(FaultQuote, "This is in quotation marks, but nobody says it, word for word: “%s”", q)
			}
		}
	}
	if !alien && !s.shares(text) {
		f.add(FaultSubject, "The text has hardly a word of the transcript: it is about something else, or in another language.")
	}
	return f
}

// CheckCitations returns the places of a text that were not given. A number in brackets that begins a line is an entry of a list.
func (s *Source) CheckCitations(text string) []Fault {
	var f faults
	s.checkCitations(&f, text, true)
	return f
}

// bracketed matches numbers in brackets: [12], [1.2, 1.3], [@12-@15].
var bracketed = lazyregexp.New(`\[[ \t]*@?\d{1,6}(?:\.\d{1,6})?(?:[ \t]*[-–—,;][ \t]*@?\d{1,6}(?:\.\d{1,6})?)*[ \t]*\]`)

// checkCitations adds a fault for each number in brackets that means nothing to a reader: the places that belong to something were replaced
// before. Code, links, and what the transcript has in brackets stay. entries is whether a number may be an entry of a list in the text.
func (s *Source) checkCitations(f *faults, text string, entries bool) {
	open, n := "", 0
	for line := range strings.Lines(text) {
		if m := fence.FindStringSubmatch(line); m != nil && (open == "" || closesFence(line, open)) {
			if open == "" {
				open = m[1]
			} else {
				open = ""
			}
			continue
		}
		if open != "" || !strings.Contains(line, "[") {
			continue
		}
		for _, at := range bracketed.FindAllStringIndex(line, -1) {
			if n++; n > 5*maxItems { // each one is looked up in the whole transcript
				f.add(FaultCitation, "There are more than %d numbers in brackets.", 5*maxItems)
				return
			}
			found := line[at[0]:at[1]]
			before, after := line[:at[0]], line[at[1]:]
			switch {
			case strings.HasSuffix(before, `\`), strings.HasPrefix(after, "("), strings.Count(before, "`")%2 == 1, s.verbatim(found):
			case entries && (strings.Contains("\n"+text, "\n"+found) || strings.Contains(text, "- "+found)):
			default:
				f.add(FaultCitation, "%s belongs to nothing that was given.", found)
			}
		}
	}
}

// verbatim reports whether the transcript, a title, or the context has a text.
func (s *Source) verbatim(text string) bool {
	for _, v := range s.verbal {
		if strings.Contains(v, text) {
			return true
		}
	}
	return false
}

// quotationMarks maps opening marks to those that close them.
var quotationMarks = map[rune]string{'“': "”", '„': "“”", '”': "”", '«': "»", '»': "«", '‹': "›", '「': "」", '『': "』", '"': `"`}

// maxQuotation is the longest quotation, in bytes. Without a limit, marks that nothing closes would take quadratic time.
const maxQuotation = 2000

// quotations returns what is in quotation marks in a line. Straight marks count only in pairs.
func quotations(line string) (all []string) {
	straight := strings.Count(line, `"`)%2 == 0
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRuneInString(line[i:])
		i += n
		closing := quotationMarks[r]
		if closing == "" || r == '"' && !straight {
			continue
		}
		end := strings.IndexAny(line[i:min(len(line), i+maxQuotation)], closing)
		if end < 0 {
			continue
		}
		all = append(all, line[i:i+end])
		_, n = utf8.DecodeRuneInString(line[i+end:])
		i += end + n
	}
	return all
}

// isLong reports whether a quotation claims to be what somebody said: five words, or twelve characters in scripts without spaces. Shorter
// ones may be names, titles, or words that are talked about.
func isLong(quotation string) bool {
	words := strings.Fields(quotation)
	return len(words) >= 5 || len(words) < 3 && len([]rune(quotation)) >= 12 && wide(quotation)
}

// wide reports whether most characters are Chinese or Japanese.
func wide(text string) bool {
	n, all := 0, 0
	for _, r := range text {
		if all++; isWideRune(r) {
			n++
		}
	}
	return 2*n > all
}

// enoughWords is how many long words a transcript must have before a text can be said to be about something else.
const enoughWords = 15

// shares reports whether a text has words of the transcript: a tenth of its long ones, and one.
func (s *Source) shares(text string) bool {
	own := longWords(text)
	if len(own) == 0 {
		return true
	}
	said := map[string]bool{}
	for _, v := range s.verbal {
		for w := range longWords(v) {
			said[w] = true
		}
	}
	for _, u := range s.all {
		for w := range longWords(u.Speaker) {
			said[w] = true
		}
	}
	if len(said) < enoughWords {
		return true
	}
	shared := 0
	for w := range own {
		if said[w] {
			shared++
		}
	}
	return shared > 0 && 10*shared >= len(own)
}
