package formats

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// ParseASS reads SubStation Alpha (v4 and v4+): each dialogue line becomes an utterance without words, with its name as speaker. Comments,
// drawings, overrides, and styles are skipped. A line with invalid times is skipped and listed in Problems.
//
// A reset to the style of another speaker changes the speaker, if the styles of the file are named for its speakers, as ours are.
//
// It does not use go-astisub, whose reader refuses a file with one bad line and doesn't tell lines.
func ParseASS(r io.Reader) (Parsed, error) { return parseCaptions("ParseASS", kindASS, r) }

// assReader is the state between the lines of a file.
type assReader struct {
	file    captionFile
	section string
	fields  []string // of the events, in small letters
	hard    bool     // \n breaks lines, too
}

var assFields = []string{"layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"}

func readASS(text string, found problems) captionFile {
	a := assReader{file: captionFile{problems: found}, fields: assFields}
	for i, l := range splitLines(text) {
		l = strings.TrimLeft(l, " \t")
		if strings.HasPrefix(l, "[") && strings.HasSuffix(strings.TrimRight(l, " \t"), "]") {
			a.section = strings.ToLower(strings.Trim(l, "[] \t"))
			continue
		}
		key, value, ok := strings.Cut(l, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimLeft(value, " \t")
		switch {
		case a.section == "script info" && key == "language":
			a.file.language = Language(value)
		case a.section == "script info" && key == "wrapstyle":
			a.hard = strings.TrimSpace(value) == "2"
		case a.section != "events":
		case key == "format":
			a.format(value)
		case key == "dialogue":
			a.dialogue(value, i+1)
		}
	}
	// The order of events is the order of drawing, not of time.
	slices.SortStableFunc(a.file.cues, func(a, b sourceCue) int { return cmp.Compare(a.start, b.start) })
	return a.file
}

// format sets the fields of the events. The text is always the last one.
func (a *assReader) format(value string) {
	var fields []string
	for f := range strings.SplitSeq(strings.ToLower(value), ",") {
		fields = append(fields, strings.TrimSpace(f))
	}
	if slices.Contains(fields, "start") && slices.Contains(fields, "end") && fields[len(fields)-1] == "text" {
		a.fields = fields
	}
}

func (a *assReader) dialogue(value string, line int) {
	values := strings.SplitN(value, ",", len(a.fields))
	if len(values) < len(a.fields) {
		a.file.problems.add(line, "the event has %d fields, and %d are needed; it was skipped.", len(values), len(a.fields))
		return
	}
	field := func(name string) string {
		if i := slices.Index(a.fields, name); i >= 0 {
			return strings.TrimSpace(values[i])
		}
		return ""
	}
	start, okStart := assTime(field("start"))
	end, okEnd := assTime(field("end"))
	if !okStart || !okEnd {
		a.file.problems.add(line, "expected times like 0:00:01.00; the event was skipped.")
		return
	}
	name := captions.CleanText(field("name"))
	t := assText{speaker: name, first: name, named: name != "" && strings.TrimLeft(field("style"), "*") == name, hard: a.hard}
	if t.read(values[len(values)-1]); t.drawn && strings.TrimSpace(t.spans.text.String()) == "" {
		return
	}
	a.file.cues = append(a.file.cues, sourceCue{line: line, start: start, end: end, spans: t.spans.take()})
}

// assTime parses h:mm:ss.cc.
func assTime(s string) (time.Duration, bool) {
	d, rest, reason := timestamp(s)
	return d, reason == "" && rest == "" && d >= 0 && strings.Count(s, ":") == 2
}

// assText reads the text of an event.
type assText struct {
	spans          spanWriter
	speaker, first string
	named          bool // the style is named for the speaker
	hard           bool
	drawing, drawn bool // the text is a drawing now, and was one
}

func (t *assText) read(text string) {
	last := strings.LastIndexByte(text, '}') - len(text) // from the end: an override after it is not closed
	for text != "" {
		switch {
		case text[0] == '{' && len(text)+last > 0:
			tags, rest, _ := strings.Cut(text[1:], "}")
			t.override(tags)
			text = rest
			continue
		case text[0] == '\\' && len(text) > 1 && strings.IndexByte(`Nnh{}`, text[1]) >= 0:
			t.add(t.escape(text[1]))
			text = text[2:]
			continue
		case strings.HasPrefix(text, "\\\u2060"):
			t.add(`\`)
			text = text[len("\\\u2060"):]
			continue
		}
		n := len(text)
		if i := strings.IndexAny(text[1:], `{\`); i >= 0 {
			n = 1 + i
		}
		t.add(text[:n])
		text = text[n:]
	}
}

func (t *assText) escape(c byte) string {
	switch c {
	case 'N':
		return "\n"
	case 'n':
		if t.hard {
			return "\n"
		}
		return " "
	case 'h':
		return "\u00a0"
	}
	return string(c)
}

func (t *assText) add(text string) {
	if !t.drawing {
		t.spans.add(t.speaker, text)
	}
}

// override applies the tags that matter for the text: drawings (\p), and resets to a style (\r).
func (t *assText) override(tags string) {
	for tag := range strings.SplitSeq(tags, `\`) {
		tag = strings.TrimSpace(tag)
		scale := strings.TrimPrefix(tag, "p")
		switch {
		case strings.HasPrefix(tag, "p") && scale != "" && strings.Trim(scale, "0123456789") == "":
			t.drawing = strings.Trim(scale, "0") != ""
			t.drawn = t.drawn || t.drawing
		case tag == "r":
			t.speaker = t.first
		case strings.HasPrefix(tag, "r") && !strings.HasPrefix(tag, "rnd") && t.named:
			if t.speaker = captions.CleanText(tag[1:]); t.speaker == assDefault {
				t.speaker = ""
			}
		}
	}
}
