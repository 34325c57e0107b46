package llm

import (
	"regexp"
	"strings"
)

var (
	linked   = regexp.MustCompile(`!?\[([^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`)
	labelled = regexp.MustCompile(`^\d{1,6}\.\d{1,6}(?:[ ]*[,;][ ]*\d{1,6}\.\d{1,6})*$`)
	angle    = regexp.MustCompile(`\\*<`)
	ticks    = regexp.MustCompile("`{3,}|~{3,}")
	opening  = regexp.MustCompile("^(?:(`{3,})[^`]*|(~{3,}).*)$")
	closing  = regexp.MustCompile("^ {0,3}(`{3,}|~{3,}) *$")
)

// harmless takes from markdown what could do something when it is shown, or hide where it leads: tags of HTML are escaped, images become
// their description, links their text. An address that is written out stays, as it hides nothing. There is no exception for code: what is
// code inside a list, a quote or a table is for each program that shows markdown to decide, and a backslash too many in a code span is the
// price. Source: CommonMark 0.31, sections 4.5, 4.7, 6.3 and 6.6.
func harmless(text string) string {
	for range 3 { // an image within a link, within brackets
		text = linked.ReplaceAllStringFunc(text, func(found string) string {
			inside := linked.FindStringSubmatch(found)[1]
			if labelled.MatchString(inside) {
				return "[" + inside + "]"
			}
			return inside
		})
	}
	// Links that the pattern doesn't find, and definitions of links, must have these. That each < is escaped, not only where a tag
	// follows, is because a label that is dropped later may stand between it and what follows; so may it between backticks.
	text = strings.NewReplacer("](", `]\(`, "]:", `]\:`).Replace(text)
	text = angle.ReplaceAllStringFunc(text, func(found string) string {
		if len(found)%2 == 1 {
			return found[:len(found)-1] + `\<`
		}
		return found
	})
	return ticks.ReplaceAllStringFunc(text, func(run string) string { return strings.ReplaceAll(run, run[:1], `\`+run[:1]) })
}

// harmlessButCode is harmless, but leaves blocks of code that begin at the margin as they are. They are blocks of code for every program,
// because harmless leaves no other and no HTML that could hold them. Nothing may be taken out of its text any more.
func harmlessButCode(text string) string {
	var b, prose strings.Builder
	open := "" // the fence of the block that we are in
	for l := range strings.Lines(text) {
		bare := strings.TrimRight(l, "\n")
		begins, ends := opening.FindStringSubmatch(bare), closing.FindStringSubmatch(bare)
		switch {
		case open != "":
			b.WriteString(l)
			if ends != nil && ends[1][0] == open[0] && len(ends[1]) >= len(open) {
				open = ""
			}
		case begins != nil:
			b.WriteString(harmless(prose.String()))
			prose.Reset()
			open = begins[1] + begins[2]
			b.WriteString(l)
		default:
			prose.WriteString(l)
		}
	}
	b.WriteString(harmless(prose.String()))
	return b.String()
}
