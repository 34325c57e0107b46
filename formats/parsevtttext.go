package formats

import (
	"html"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// vttSpans returns the text of a cue by speaker, without tags and escapes, as browsers build its tree (section 6.4). unclosed reports
// whether text is lost in a tag that the cue doesn't close. If the cue has visible names of speakers, as WriteVTT writes them, shown is the
// text with them, and spans don't have them.
func vttSpans(text string) (spans []span, shown string, unclosed bool) {
	t := vttTree{}
	for rest := text; rest != ""; {
		before, after, tagged := strings.Cut(rest, "<")
		t.text(vttCharacters(before))
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
	if t.named {
		shown = t.shown.String()
	}
	return t.take(), shown, unclosed
}

// decimalReference is the start of a decimal character reference. html.UnescapeString misses "&#3" without a semicolon, but not "&#03".
var decimalReference = lazyregexp.New(`&#([0-9])`)

// vttCharacters resolves character references.
func vttCharacters(text string) string {
	return html.UnescapeString(decimalReference.ReplaceAllString(text, "&#0$1"))
}

// vttTree is the path of open tags while the text of a cue is read.
type vttTree struct {
	spanWriter
	open  []vttNode
	shown strings.Builder // all text
	named bool            // it has visible names
}

// vttNode is an open tag, and who speaks in it.
type vttNode struct {
	name, voice string
	speaker     bool // its class is that of visible names
}

// text adds text to the current node.
func (t *vttTree) text(text string) {
	t.shown.WriteString(text)
	n := t.top()
	name, colon := strings.CutSuffix(captions.CleanText(text), ":")
	if n.speaker && colon && voiceName.Replace(name) == voiceName.Replace(n.voice) {
		t.named = true
		return
	}
	t.add(n.voice, text)
}

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
	name, class, _ := strings.Cut(head, ".")
	switch name {
	case "rt":
		if current == "ruby" {
			t.open = append(t.open, vttNode{name: name, voice: voice})
		}
	case "v":
		t.open = append(t.open, vttNode{name: name, voice: captions.CleanText(vttCharacters(annotation))})
	case "c", "i", "b", "u", "ruby", "lang":
		t.open = append(t.open, vttNode{name, voice, class == "speaker"})
	}
}
