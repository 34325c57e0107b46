package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

const (
	snippetLength = 160 // characters
	snippetBefore = 40  // characters before the match
	// maxMisses limits how many documents may have all pairs of a run of ideographs but not the run itself. After that, search
	// reads no more texts.
	maxMisses = 50
)

// Index is the source of postings.
type Index interface {
	// Postings returns the occurrences of a term, by document id.
	Postings(PostingQuery) ([]Posting, error)
}

// Query is what to search for: words and runs of ideographs that a text must have.
type Query struct{ units []queryUnit }

// ParseQuery parses what a user typed.
func ParseQuery(text string) Query { return Query{queryUnits(text)} }

// Empty reports whether the query has no word.
func (q Query) Empty() bool { return len(q.units) == 0 }

// Match is a text that matches a query.
type Match struct {
	Document Document
	Part     int    // the number of the text that matches best
	At       int    // byte offset of the first match in that text
	Snippet  string // about 160 characters around the first match; "…" marks omitted text
}

// Find returns at most limit matches among the documents of a kind, best first, ties newest first. texts returns the texts that a
// document was indexed with.
func Find(index Index, kind DocumentKind, spaces []string, q Query, limit int, texts func(Document) ([]string, error)) ([]Match, error) {
	found, err := findHits(index, kind, spaces, q.units)
	if err != nil {
		return nil, err
	}
	var matches []Match
	misses := 0
	for len(matches) < limit && misses < maxMisses {
		h, ok := found.next()
		if !ok {
			break
		}
		all, err := texts(h.doc)
		if err != nil {
			return nil, err
		}
		part, at, ok := bestPart(h, q.units, all)
		if !ok {
			misses++
			continue
		}
		matches = append(matches, Match{Document: h.doc, Part: part, At: at.start, Snippet: snippet(all[part], at.start, at.end)})
	}
	return matches, nil
}

// span is a range of bytes of a text.
type span struct{ start, end int }

// bestPart returns the part with most units (then most occurrences, then the first) and the position of its first match. ok is
// false when some unit is in no part.
func bestPart(h hit, units []queryUnit, texts []string) (part int, at span, ok bool) {
	type rank struct{ part, units, often int }
	ranks := map[int]*rank{}
	for i, parts := range h.parts {
		holds := slices.DeleteFunc(slices.Compact(slices.Clone(parts)), func(p int) bool {
			return p >= len(texts) || units[i].ideographic && len(units[i].terms) > 1 && !hasUnit(texts[p], units[i])
		})
		if len(holds) == 0 {
			return 0, span{}, false
		}
		for _, p := range holds {
			if ranks[p] == nil {
				ranks[p] = &rank{part: p}
			}
			ranks[p].units++
		}
		for _, p := range parts {
			if ranks[p] != nil {
				ranks[p].often++
			}
		}
	}
	var best *rank
	for _, r := range ranks {
		if best == nil || cmp.Or(cmp.Compare(r.units, best.units), cmp.Compare(r.often, best.often), cmp.Compare(best.part, r.part)) > 0 {
			best = r
		}
	}
	at, ok = firstMatch(texts[best.part], units)
	return best.part, at, ok
}

func hasUnit(text string, u queryUnit) bool {
	_, ok := firstMatch(text, []queryUnit{u})
	return ok
}

// firstMatch returns the position of the first unit in a text.
func firstMatch(text string, units []queryUnit) (at span, ok bool) {
	scanText(text, func(l *lexeme) {
		if ok {
			return
		}
		for _, u := range units {
			if s, in := l.find(u); in && (!ok || s.start < at.start) {
				at, ok = s, true
			}
		}
	})
	return at, ok
}

// find returns where the lexeme has the unit. A part of a word with apostrophes counts as the whole word.
func (l *lexeme) find(u queryUnit) (span, bool) {
	if u.ideographic != l.ideographic {
		return span{}, false
	}
	if l.ideographic {
		i := strings.Index(string(l.folded), u.text)
		if i < 0 {
			return span{}, false
		}
		first, _ := slices.BinarySearch(l.cuts, i)
		end := l.end
		if after, _ := slices.BinarySearch(l.cuts, i+len(u.text)); after < len(l.at) {
			end = l.at[after]
		}
		return span{l.at[first], end}, true
	}
	found := false
	l.each(func(term []byte) { found = found || string(term) == u.text })
	return span{l.start, l.end}, found
}

// snippet cuts a text around a match, at word borders if there are any.
func snippet(text string, start, end int) string {
	runes := []rune(text)
	if len(runes) <= snippetLength {
		return strings.TrimSpace(text)
	}
	first, last := len([]rune(text[:start])), len([]rune(text[:end]))
	from := max(0, min(first-snippetBefore, len(runes)-snippetLength))
	to := min(len(runes), from+snippetLength)
	if from > 0 {
		if i := slices.IndexFunc(runes[from-1:first], unicode.IsSpace); i >= 0 {
			from += i
		}
		for from < first && unicode.IsMark(runes[from]) {
			from++
		}
	}
	if to < len(runes) && last < to {
		for border := to; border > last; border-- {
			if unicode.IsSpace(runes[border]) {
				to = border
				break
			}
		}
	}
	for to < len(runes) && to > from+1 && unicode.IsMark(runes[to]) {
		to--
	}
	cut := strings.TrimSpace(string(runes[from:to]))
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(runes) {
		cut += "…"
	}
	return cut
}
