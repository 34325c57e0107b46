package llm

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// clean makes a text valid UTF-8 without control characters except line breaks. Tabs become spaces.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case unicode.IsControl(r), r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// line returns a text on one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

var (
	thinking       = lazyregexp.New(`(?is)<(think|thinking)>.*?</(think|thinking)>`)
	endOfThought   = lazyregexp.New(`(?is)^.*</(think|thinking)>`)
	startOfThought = lazyregexp.New(`(?is)^\s*<(think|thinking)>.*$`)
	wholeFence     = lazyregexp.New("(?is)^```[ ]*(markdown|md|text|txt|json|)[ ]*\n(.*?)\n?```$")
)

// tidy removes what models put around an answer: thoughts between <think> and </think>, whose start or end may be
// missing, and a code block around the whole answer.
func tidy(text string) string {
	text = thinking.ReplaceAllString(clean(text), "")
	text = endOfThought.ReplaceAllString(text, "")
	text = strings.TrimSpace(startOfThought.ReplaceAllString(text, ""))
	if m := wholeFence.FindStringSubmatch(text); m != nil && !strings.Contains(m[2], "```") {
		text = strings.TrimSpace(m[2])
	}
	return text
}
