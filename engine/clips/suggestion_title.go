package clips

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const maxSuggestionTitle = 80 // characters

// suggestion makes a suggestion of a stretch.
func (s *scorer) suggestion(kind Kind, c scored) Suggestion {
	return Suggestion{
		Kind: kind, Title: s.title(c.from, c.to), Excerpt: transcript.TextOf(s.sentences[c.from:c.to], s.language), Score: int(math.Round(c.score)), Window: c.window,
	}
}

// title is the sentence among those from up to to that can best be quoted and is short enough, without its full stop; else the
// longest clause of the best one that is and leans on no other; else as many of its words as fit. It is verbatim.
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
		if c = trimTitle(c); fitsTitle(c) && len(c) > len(clause) && !beginsWith(c, leaning[s.language], s.language) {
			clause = c
		}
	}
	if utf8.RuneCountInString(clause) >= maxSuggestionTitle/5 {
		return clause
	}
	return cutTitle(s.sentences[best].Text)
}

func fitsTitle(text string) bool { return utf8.RuneCountInString(text) <= maxSuggestionTitle }

// trimTitle takes the full stop and blanks off.
func trimTitle(text string) string {
	if trimmed := strings.TrimRight(text, " \u00a0.。।,，、;；:："); trimmed != "" {
		text = trimmed
	}
	return strings.TrimSpace(text)
}

// cutTitle makes a text one line of at most maxSuggestionTitle characters, at a word border where there is one.
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
