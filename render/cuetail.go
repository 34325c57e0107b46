package render

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/phrases"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// shortTail is the most characters of a caption that looks lost when it is the end of a word: す。 after きま.
const shortTail = 2

// fixTails moves words from a caption of one line to the next one, if that has only the last characters of a word.
func fixTails(cues []Cue, language transcript.Language, limits CueLimits) {
	for i := 1; i < len(cues); i++ {
		a, b := &cues[i-1], &cues[i]
		if len(a.Lines) != 1 || len(b.Lines) != 1 || lettersOf(b.Lines[0], language) > shortTail || endsWords(a.Lines[0]) {
			continue
		}
		if at := tailOf(a.Lines[0], b.Lines[0], language, limits.Columns); at > 0 {
			moved := a.Lines[0][at:]
			b.Lines[0] = append(moved[:len(moved):len(moved)], b.Lines[0]...)
			a.Lines[0] = a.Lines[0][:at]
			b.Start = max(moved[0].Start, a.Start)
			a.End = min(a.End, b.Start)
		}
	}
}

// polite are the forms of Japanese that most sentences end with. Models of phrases have no boundary before them.
var polite = []string{"んでしょ", "んです", "んでし", "のでしょ", "のです", "でしょ", "です", "でし", "ます", "まし", "ませ"}

// scorePolite is the score of a place before a polite form.
const scorePolite = 60

// tailOf returns from which word of a line on its words go to the next line: at a polite form, or at the best end of a phrase or a word. 0 is
// none.
func tailOf(line, next []transcript.Word, language transcript.Language, columns int) int {
	text := transcript.JoinWords(append(line[:len(line):len(line)], next...), language)
	scores := map[int]int{}
	for _, b := range phrases.Breaks(text, language) {
		scores[b.Offset] = b.Score
	}
	offset := func(at int) int {
		return len(text) - len(transcript.JoinWords(append(line[at:len(line):len(line)], next...), language))
	}
	isPolite := func(at int) bool {
		return slices.ContainsFunc(polite, func(form string) bool { return strings.HasPrefix(text[offset(at):], form) })
	}
	best, found := max(scores[offset(len(line))], phrases.ScoreWord), 0
	switch {
	case isPolite(len(line)):
		best = scorePolite
	case lettersOf(next, language) == 1: // any word is better
		best = 0
	}
	for at := len(line) - 1; at > 0; at-- {
		if lettersOf(line[:at], language) < shortTail || displayWidth(text[offset(at):]) > columns {
			break
		}
		score := scores[offset(at)]
		if isPolite(at) {
			score = scorePolite
		}
		if score > best || found > 0 && score == scorePolite { // of forms the longest, else the shortest
			best, found = score, at
		}
	}
	return found
}

// lettersOf returns the number of characters of words without punctuation.
func lettersOf(words []transcript.Word, language transcript.Language) (n int) {
	for _, r := range transcript.JoinWords(words, language) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	return n
}

// endsWords reports whether a line ends with punctuation, so that no word goes on.
func endsWords(line []transcript.Word) bool {
	r, _ := utf8.DecodeLastRuneInString(line[len(line)-1].Text)
	return unicode.IsPunct(r)
}

// startsClosing reports whether a text begins with punctuation that belongs to what is before it.
func startsClosing(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.In(r, unicode.Pe, unicode.Pf) || strings.ContainsRune("。、，．！？；：…・ー!?.,;:", r)
}
