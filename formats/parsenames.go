package formats

import (
	"slices"
	"strings"
)

// withoutNames removes visible names of speakers, as Options.VisibleNames writes them, from a file whose markup says who speaks. It
// changes nothing unless each turn of a known speaker begins with the name.
func (f captionFile) withoutNames() captionFile {
	bare := slices.Clone(f.cues)
	before := ""
	for i, c := range bare {
		spans := slices.Clone(c.spans)
		for j, s := range spans {
			if s.speaker != before && s.speaker != "" {
				text, ok := withoutName(s)
				if !ok {
					return f
				}
				spans[j].text = text
				bare[i].shown = shownText(c)
			}
			before = s.speaker
		}
		bare[i].spans = spans
	}
	f.cues = bare
	return f
}

// withoutName removes the name of its speaker from the start of a span, and keeps the dash before it. ASS has names without some characters.
func withoutName(s span) (string, bool) {
	text := strings.TrimLeft(s.text, " \t\n")
	dash := ""
	if rest, ok := strings.CutPrefix(text, "- "); ok {
		dash, text = "- ", rest
	}
	name := assName.Replace(s.speaker)
	for at, r := range text[:min(len(text), len(name)+1)] {
		if r != ':' || assName.Replace(text[:at]) != name {
			continue
		}
		if rest := text[at+1:]; rest == "" || strings.ContainsAny(rest[:1], " \t\n") {
			return dash + strings.TrimLeft(rest, " \t\n"), true
		}
	}
	return "", false
}

// shownText returns the text of a cue that viewers see.
func shownText(c sourceCue) string {
	if c.shown != "" {
		return c.shown
	}
	var b strings.Builder
	for _, s := range c.spans {
		b.WriteString(s.text)
	}
	return b.String()
}
