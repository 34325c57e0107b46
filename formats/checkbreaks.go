package formats

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
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
			if c.isOrphan(l) && !sentenceEnds(lines[k-1], lines[k], c.language) {
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
	if len(b) == 1 && c.isOrphan(b[0]) && !sentenceEnds(last, b[0], c.language) && !isDialogue(b[0]) {
		c.at(i, RuleOrphan, true, float64(captions.Width(b[0])), maxOrphan, "%q is alone in its cue, and the sentence began before.", b[0])
	}
	c.name(i, last, b[0], "cues")
}

// isOrphan reports whether a line is one short word. Chinese and Japanese have no spaces, so any short line would be one.
func (c *checker) isOrphan(l string) bool {
	return c.language.Spaced() && !strings.ContainsAny(l, " \u00a0") && captions.Width(l) <= maxOrphan && strings.ContainsFunc(l, unicode.IsLetter)
}

// name reports a name that is split between two texts.
func (c *checker) name(i int, before, after, what string) {
	if !c.names.Split(before, after) {
		return
	}
	words, next := strings.Fields(before), strings.Fields(after)
	c.at(i, RuleName, true, 0, 0, "%q and %q look like one name that is split between two %s.", words[len(words)-1], next[0], what)
}

// isDialogue reports whether a line begins another speaker's words.
func isDialogue(l string) bool { return strings.IndexAny(l, "-–—‐") == 0 }

// sentenceEnds reports whether a sentence ends between two texts, or something that may stand for one: a colon, or the note of a song.
func sentenceEnds(text, next string, l transcript.Language) bool {
	last := text[strings.LastIndexFunc(text, unicode.IsSpace)+1:]
	if i := strings.IndexFunc(next, unicode.IsSpace); i >= 0 {
		next = next[:i]
	}
	return strings.HasSuffix(last, ":") || strings.HasSuffix(last, "：") || strings.HasSuffix(last, "♪") || transcript.EndsSentence(last, next, l)
}
