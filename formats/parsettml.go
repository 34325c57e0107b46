package formats

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// ParseTTML reads TTML, IMSC, EBU-TT, and DFXP: each p with text becomes an utterance without words, with the name or ID of its ttm:agent
// as speaker. Times may be clock times, with frames, or offsets (h, m, s, ms, f, t); begin, end, and dur of div and body apply, too. Styles
// and regions are skipped. A p with invalid times is skipped and listed in Problems. Malformed XML is CodeInvalid, with its line.
//
// It does not use go-astisub, whose reader panics at a p without begin or end, even with dur, refuses a file with an unknown style, and
// doesn't tell lines.
func ParseTTML(r io.Reader) (Parsed, error) { return parseCaptions("ParseTTML", kindTTML, r) }

// maxDepth limits the nesting of XML elements. Captions have about 6.
const maxDepth = 100

func readTTML(op string, text []byte, found problems) (captionFile, error) {
	p := ttmlParser{text: text, file: captionFile{problems: found}, agents: map[string]string{}}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // it is UTF-8 by now
	for {
		offset := d.InputOffset()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line, column := d.InputPos()
			return captionFile{}, ttmlError(op, line, column, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(p.open) == 0 && t.Name.Local != "tt" {
				return captionFile{}, notTTML(op, t.Name.Local, p.lineAt(offset))
			}
			if len(p.open) == maxDepth {
				return captionFile{}, syntaxError(op, p.lineAt(offset), 1, "elements are nested more than %d levels deep.", maxDepth)
			}
			p.start(t, p.lineAt(offset))
		case xml.EndElement:
			p.end()
		case xml.CharData:
			p.characters(string(t))
		}
	}
	if !p.seen {
		return captionFile{}, syntaxError(op, 1, 1, "a TTML file must start with a tt element.")
	}
	return p.file, nil
}

// otherXML has what other XML files are, by the name of the first element.
var otherXML = map[string]string{"html": "an HTML page", "fcpxml": "an FCPXML timeline"}

// notTTML returns the error for XML that is no TTML. root is the name of its first element.
func notTTML(op, root string, line int) error {
	if what, ok := otherXML[strings.ToLower(root)]; ok {
		return fault.Errorf(fault.CodeInvalid, op, "The file is %s, not a transcript that can be read.", what).WithHint(readable)
	}
	return fault.Errorf(fault.CodeInvalid, op, "line %d, column 1: a TTML file must start with a tt element, not with %s.", line, root).WithHint(readable)
}

func ttmlError(op string, line, column int, err error) error {
	message := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, column, message = syntax.Line, 1, syntax.Msg
	}
	return fault.Errorf(fault.CodeInvalid, op, "line %d, column %d: invalid XML: %s.", line, column, message)
}

// ttmlParser is the state between the tokens of a file.
type ttmlParser struct {
	text   []byte
	at     int64 // lines counts the lines before this offset
	lines  int
	seen   bool
	clock  ttmlClock
	agents map[string]string // names by ID
	open   []ttmlElement
	cue    *sourceCue // the p that is open
	skip   bool       // the cue has no usable times
	spans  spanWriter // text of the cue
	file   captionFile
}

// ttmlElement is an open element.
type ttmlElement struct {
	name, id, agent string
	begin, end      time.Duration // of the element; end is -1 if it has none
	preserve        bool          // xml:space
}

// lineAt returns the line of an offset. Offsets never decrease.
func (p *ttmlParser) lineAt(offset int64) int {
	p.lines += bytes.Count(p.text[p.at:offset], []byte("\n"))
	p.at = offset
	return p.lines + 1
}

func (p *ttmlParser) start(t xml.StartElement, line int) {
	e := ttmlElement{name: t.Name.Local, end: -1}
	if n := len(p.open); n > 0 {
		outer := p.open[n-1]
		e.agent, e.begin, e.end, e.preserve = outer.agent, outer.begin, outer.end, outer.preserve
		if e.name == "name" {
			e.id = outer.id
		}
	}
	attributes := map[string]string{}
	for _, a := range t.Attr {
		attributes[a.Name.Local] = a.Value
	}
	if v, ok := attributes["space"]; ok {
		e.preserve = v == "preserve"
	}
	if v := attributes["agent"]; v != "" {
		e.agent = v
	}
	switch e.name {
	case "tt":
		p.seen = true
		p.clock = ttmlClockOf(attributes)
		p.file.language = Language(attributes["lang"])
	case "agent":
		e.id = attributes["id"]
	case "br":
		p.add("\n")
	case "body", "div", "p":
		reason := p.times(&e, attributes)
		if e.name == "p" && p.cue == nil {
			p.startCue(e, line, reason)
		} else if reason != "" {
			p.file.problems.add(line, "%s; the times of the element were ignored.", reason)
		}
	}
	p.open = append(p.open, e)
}

// startCue begins the cue of a p. A p without usable times is reported, and its text is skipped.
func (p *ttmlParser) startCue(e ttmlElement, line int, reason string) {
	if reason == "" && e.end < 0 {
		reason = "the cue has no end"
	}
	p.cue = &sourceCue{line: line, start: e.begin, end: e.end}
	if p.skip = reason != ""; p.skip {
		p.file.problems.add(line, "%s; the cue was skipped.", reason)
	}
}

// times sets the times of an element, which begin at those of the outer one.
func (p *ttmlParser) times(e *ttmlElement, attributes map[string]string) (reason string) {
	outer := *e
	for _, name := range []string{"begin", "end", "dur"} {
		v, ok := attributes[name]
		if !ok {
			continue
		}
		d, ok := p.clock.time(strings.TrimSpace(v))
		if !ok {
			*e = outer
			return name + " is not a valid time: " + strconv.Quote(captions.CleanText(v[:min(len(v), 40)]))
		}
		switch name {
		case "begin":
			e.begin = outer.begin + d
		case "end":
			e.end = outer.begin + d
		default:
			if end := e.begin + d; attributes["end"] == "" || end < e.end {
				e.end = end
			}
		}
	}
	return ""
}

func (p *ttmlParser) end() {
	e := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	if e.name != "p" || p.cue == nil || p.inCue() {
		return
	}
	if !p.skip {
		p.cue.spans = p.spans.take()
		p.file.cues = append(p.file.cues, *p.cue)
	}
	p.cue = nil
}

// inCue reports whether a p is open.
func (p *ttmlParser) inCue() bool {
	for _, e := range p.open {
		if e.name == "p" {
			return true
		}
	}
	return false
}

func (p *ttmlParser) characters(text string) {
	if len(p.open) == 0 {
		return
	}
	e := p.open[len(p.open)-1]
	switch {
	case e.name == "name" && e.id != "":
		p.agents[e.id] = captions.CleanText(text)
	case e.preserve:
		p.add(text)
	default:
		p.add(strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(text))
	}
}

// add appends text to the cue, if one is open.
func (p *ttmlParser) add(text string) {
	if p.cue == nil || p.skip {
		return
	}
	agent, _, _ := strings.Cut(p.open[len(p.open)-1].agent, " ")
	speaker := agent
	if name := p.agents[agent]; name != "" {
		speaker = name
	}
	p.spans.add(speaker, text)
}
