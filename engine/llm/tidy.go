package llm

import (
	"regexp"
	"strings"
	"unicode"
)

// clean makes a text one that can be stored and shown: valid UTF-8 with no control characters but line breaks; tabs become blanks.
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

// line is a text on one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

var (
	thinking   = regexp.MustCompile(`(?is)<(think|thinking)>.*?</(think|thinking)>`)
	thought    = regexp.MustCompile(`(?is)^.*</(think|thinking)>`)
	unthought  = regexp.MustCompile(`(?is)^\s*<(think|thinking)>.*$`)
	wholeFence = regexp.MustCompile("(?is)^```[ ]*(markdown|md|text|txt|json|)[ ]*\n(.*?)\n?```$")
)

// tidy takes off what models put around an answer: what they think before it between <think> and </think>, of which templates may have
// swallowed the beginning and a cut the end, and a block of code that the whole answer stands in.
func tidy(text string) string {
	text = thinking.ReplaceAllString(clean(text), "")
	text = thought.ReplaceAllString(text, "")
	text = strings.TrimSpace(unthought.ReplaceAllString(text, ""))
	if m := wholeFence.FindStringSubmatch(text); m != nil && !strings.Contains(m[2], "```") {
		text = strings.TrimSpace(m[2])
	}
	return text
}
