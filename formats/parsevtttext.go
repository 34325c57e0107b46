package formats

import (
	"html"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// vttSpans returns the text of a cue by speaker, without tags and escapes, as browsers build its tree (section 6.4). unclosed reports
// whether text is lost in a tag that the cue doesn't close.
func vttSpans(text string) (spans []span, unclosed bool) {
	t := vttTree{}
	for rest := text; rest != ""; {
		before, after, tagged := strings.Cut(rest, "<")
		t.add(t.top().voice, html.UnescapeString(before))
		if !tagged {
			break
		}
		tag, next, closed := strings.Cut(after, ">")
		if !closed && strings.ContainsAny(tag, " \t\n\f.") {
			unclosed = true
		}
		t.tag(tag)
		rest = next
	}
	return t.take(), unclosed
}

// vttTree is the path of open tags while the text of a cue is read.
type vttTree struct {
	spanWriter
	open []vttNode
}

// vttNode is an open tag, and who speaks in it.
type vttNode struct{ name, voice string }

func (t *vttTree) top() (n vttNode) {
	if len(t.open) > 0 {
		n = t.open[len(t.open)-1]
	}
	return n
}

// tag opens or closes a node. Unknown tags, timestamps, and closing tags without an open one are ignored.
func (t *vttTree) tag(tag string) {
	current, voice := t.top().name, t.top().voice
	if name, ok := strings.CutPrefix(tag, "/"); ok {
		switch {
		case name == current && name != "":
			t.open = t.open[:len(t.open)-1]
		case name == "ruby" && current == "rt":
			t.open = t.open[:len(t.open)-2]
		}
		return
	}
	head, annotation := tag, ""
	if i := strings.IndexAny(tag, " \t\n\f"); i >= 0 {
		head, annotation = tag[:i], tag[i:]
	}
	name, _, _ := strings.Cut(head, ".")
	switch name {
	case "rt":
		if current == "ruby" {
			t.open = append(t.open, vttNode{name, voice})
		}
	case "v":
		t.open = append(t.open, vttNode{name, captions.CleanText(html.UnescapeString(annotation))})
	case "c", "i", "b", "u", "ruby", "lang":
		t.open = append(t.open, vttNode{name, voice})
	}
}
