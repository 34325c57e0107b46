package llm

import (
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var (
	linked   = lazyregexp.New(`!?\[([^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)`)
	labelled = lazyregexp.New(`^\d{1,6}\.\d{1,6}(?:[ ]*[,;][ ]*\d{1,6}\.\d{1,6})*$`)
	angle    = lazyregexp.New(`\\*<`)
	ticks    = lazyregexp.New("`{3,}|~{3,}")
	opening  = lazyregexp.New("^(?:(`{3,})[^`]*|(~{3,}).*)$")
	closing  = lazyregexp.New("^ {0,3}(`{3,}|~{3,}) *$")
)

// sanitise removes from markdown what could act when shown or hide its target. It escapes HTML tags, and replaces images
// by their description and links by their text. Plain URLs stay, because they hide nothing. Code is no exception:
// programs disagree on what is code within lists, quotes, and tables, so a code span may get a needless backslash.
// Source: CommonMark 0.31, sections 4.5, 4.7, 6.3, and 6.6.
func sanitise(text string) string {
	for range 3 { // an image within a link, within brackets
		text = linked.ReplaceAllStringFunc(text, func(found string) string {
			inside := linked.FindStringSubmatch(found)[1]
			if labelled.MatchString(inside) {
				return "[" + inside + "]"
			}
			return inside
		})
	}
	// Every remaining link and link definition contains one of these. Each < is escaped, not only before a tag, because a label
	// between it and the tag may be removed later. The same holds for backticks.
	text = strings.NewReplacer("](", `]\(`, "]:", `]\:`).Replace(text)
	text = angle.ReplaceAllStringFunc(text, func(found string) string {
		if len(found)%2 == 1 {
			return found[:len(found)-1] + `\<`
		}
		return found
	})
	return ticks.ReplaceAllStringFunc(text, func(run string) string { return strings.ReplaceAll(run, run[:1], `\`+run[:1]) })
}

// sanitiseExceptCode is sanitise, but keeps code blocks that begin at the left margin. All programs agree that these are
// code, because sanitise leaves no other code block and no HTML around them. Nothing may be removed from the text
// afterwards.
func sanitiseExceptCode(text string) string {
	var b, prose strings.Builder
	open := "" // the fence of the current block
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
			b.WriteString(sanitise(prose.String()))
			prose.Reset()
			open = begins[1] + begins[2]
			b.WriteString(l)
		default:
			prose.WriteString(l)
		}
	}
	b.WriteString(sanitise(prose.String()))
	return b.String()
}
