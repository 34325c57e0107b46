package clips

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const maxSuggestionTitle = 80 // characters

// suggestion returns the Suggestion of a range.
func (s *scorer) suggestion(kind Kind, c scored) Suggestion {
	return Suggestion{
		Kind: kind, Title: s.title(c.from, c.to), Excerpt: transcript.TextOf(s.sentences[c.from:c.to], s.language), Score: int(math.Round(c.score)), Window: c.window,
	}
}

// title returns a verbatim title for the sentences from up to to. It is the most quotable sentence that is short enough, without its full
// stop. Otherwise it is the longest suitable clause of the best sentence, or as many of its words as fit.
func (s *scorer) title(from, to int) string {
	best, short := from, -1
	for i := from; i < to; i++ {
		if s.quotable[i] > s.quotable[best] {
			best = i
		}
		if fitsTitle(s.sentences[i].Text) && (short < 0 || s.quotable[i] > s.quotable[short]) {
			short = i
		}
	}
	if short >= 0 && s.quotable[short] >= s.quotable[best]/2 {
		return trimTitle(s.sentences[short].Text)
	}
	clause := ""
	for c := range strings.FieldsFuncSeq(s.sentences[best].Text, func(r rune) bool { return strings.ContainsRune(",;:–—，、；：", r) }) {
		if c = trimTitle(c); fitsTitle(c) && len(c) > len(clause) && !beginsWith(c, dependent[s.language], s.language) {
			clause = c
		}
	}
	if utf8.RuneCountInString(clause) >= maxSuggestionTitle/5 {
		return clause
	}
	return cutTitle(s.sentences[best].Text)
}

func fitsTitle(text string) bool { return utf8.RuneCountInString(text) <= maxSuggestionTitle }

// trimTitle removes the full stop and surrounding blanks.
func trimTitle(text string) string {
	if trimmed := strings.TrimRight(text, " \u00a0.。।,，、;；:："); trimmed != "" {
		text = trimmed
	}
	return strings.TrimSpace(text)
}

// cutTitle returns one line of at most maxSuggestionTitle characters, cut at a word border if there is one.
func cutTitle(text string) string {
	text = transcript.OneLine(strings.ToValidUTF8(text, "\uFFFD"))
	runes := []rune(text)
	if len(runes) <= maxSuggestionTitle {
		return trimTitle(text)
	}
	n := maxSuggestionTitle
	for n > 1 && unicode.IsMark(runes[n]) {
		n--
	}
	if i := strings.LastIndexByte(string(runes[:n+1]), ' '); i > 0 {
		return trimTitle(string(runes[:n+1])[:i])
	}
	return trimTitle(string(runes[:n]))
}
