package formats

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// maxOrphan is the width of a word that must not be alone, in columns.
const maxOrphan = 5

// breaks applies the rules of the line breaks in a cue.
func (c *checker) breaks(i int, lines []string) {
	for k := 1; k < len(lines); k++ {
		if isDialogue(lines[k]) || isDialogue(lines[k-1]) {
			continue
		}
		for _, l := range lines[k-1 : k+1] {
			if c.isOrphan(l) && !endsSentenceText(lines[k-1]) {
				c.at(i, RuleOrphan, true, float64(captions.Width(l)), maxOrphan, "%q is alone in its line.", l)
				break
			}
		}
		c.name(i, lines[k-1], lines[k], "lines")
	}
}

// follows applies the rules of a break between two cues of one speaker.
func (c *checker) follows(before, i int) {
	a, b := c.lines[before], c.lines[i]
	if len(a) == 0 || len(b) == 0 {
		return
	}
	last := a[len(a)-1]
	if len(b) == 1 && c.isOrphan(b[0]) && !endsSentenceText(last) && !isDialogue(b[0]) {
		c.at(i, RuleOrphan, true, float64(captions.Width(b[0])), maxOrphan, "%q is alone in its cue, and the sentence began before.", b[0])
	}
	c.name(i, last, b[0], "cues")
}

// isOrphan reports whether a line is one short word. Chinese and Japanese have no spaces, so any short line would be one.
func (c *checker) isOrphan(l string) bool {
	return c.language.Spaced() && !strings.ContainsAny(l, " \u00a0") && captions.Width(l) <= maxOrphan && strings.ContainsFunc(l, unicode.IsLetter)
}

// name reports a name that is split between two texts: two capitalised words, of which the first doesn't begin a sentence, or a title
// or an initial before a capitalised word. In German, where nouns are capitalised, only titles and initials count.
func (c *checker) name(i int, before, after, what string) {
	words, next := strings.Fields(before), strings.Fields(after)
	if len(words) == 0 || len(next) == 0 || !isCapitalised(next[0]) {
		return
	}
	last := words[len(words)-1]
	switch {
	case strings.Contains(" Dr. Mr. Mrs. Ms. Prof. St. Sr. Sra. Mme. Hr. Fr. ", " "+last+" "):
	case isInitial(last) && len(words) > 1:
	case c.language == "de" || len(words) < 2 || endsSentenceText(words[len(words)-2]):
		return
	case !isCapitalised(last) || !isWord(last):
		return
	}
	c.at(i, RuleName, true, 0, 0, "%q and %q look like one name that is split between two %s.", last, next[0], what)
}

// isCapitalised reports whether a word has a capital and small letters: not "I", not "NASA".
func isCapitalised(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && strings.ContainsFunc(word[size:], unicode.IsLower)
}

// isInitial reports whether a word is a capital with a full stop.
func isInitial(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && word[size:] == "."
}

// isWord reports whether a word ends with a letter, so that no punctuation separates it from the next one.
func isWord(word string) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	return unicode.IsLetter(last)
}

// isDialogue reports whether a line begins another speaker's words.
func isDialogue(l string) bool { return strings.IndexAny(l, "-–—‐") == 0 }

// endsSentenceText reports whether a text ends with the punctuation of a sentence.
func endsSentenceText(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool { return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf) })
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(".?!:。？！।…♪", last)
}
