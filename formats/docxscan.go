package formats

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// Namespaces of WordprocessingML: of ISO 29500 Transitional, and of Strict.
const (
	wordNamespace       = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	wordStrictNamespace = "http://purl.oclc.org/ooxml/wordprocessingml/main"
)

// maxPartDepth is how deeply the elements of a template may be nested. Word nests about 20 deep.
const maxPartDepth = 256

// scannedParagraph is a paragraph of a template.
type scannedParagraph struct {
	start, end int            // of its element
	properties docxProperties // of the paragraph
	run        docxProperties // of its first run with text
	pieces     []textPiece
	spoken     bool // it has a run with text
	simple     bool // it has only text and properties, so it can be replaced
}

// textPiece is text of a paragraph: an element <w:t>, or a tab or line break, which is only in the text.
type textPiece struct {
	start, end int // of the element
	text       string
	fixed      bool
}

// text returns the paragraph's text, whose parts may be in several runs.
func (p scannedParagraph) text() string {
	var b strings.Builder
	for _, t := range p.pieces {
		b.WriteString(t.text)
	}
	return b.String()
}

// docxScanner reads the paragraphs of a part.
type docxScanner struct {
	part   string
	strict bool
	stack  []scannedElement
	open   []scannedParagraph // the innermost one is last: text boxes have paragraphs in paragraphs
	done   []scannedParagraph
}

type scannedElement struct {
	name  string // "" for other namespaces
	start int
	run   docxProperties // of a run
}

// scanPart returns the paragraphs of a part, in the order of their ends.
func scanPart(name, part string) (*docxScanner, error) {
	s := &docxScanner{part: part}
	d := xml.NewDecoder(strings.NewReader(part))
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		if errors.Is(err, io.EOF) && len(s.stack) == 0 {
			return s, nil
		}
		if err != nil {
			return nil, templateError("The template's part %s isn't valid XML.", name).Because(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, templateError("The template's part %s has a document type declaration.", name)
		case xml.StartElement:
			if len(s.stack) == maxPartDepth {
				return nil, templateError("The template's part %s has elements nested more than %d deep.", name, maxPartDepth)
			}
			if len(s.stack) == 0 && !s.rooted(t) {
				return nil, templateError("The template's part %s isn't WordprocessingML with the prefix w.", name)
			}
			s.push(t, start)
		case xml.EndElement:
			s.pop(int(d.InputOffset()))
		case xml.CharData:
			if p := s.paragraph(); p != nil && s.at("t", "r") {
				p.pieces[len(p.pieces)-1].text += string(t)
			}
		}
	}
}

// rooted checks the root element: the XML that this package adds has the prefix w.
func (s *docxScanner) rooted(root xml.StartElement) bool {
	for _, a := range root.Attr {
		if a.Name.Space == "xmlns" && a.Name.Local == "w" {
			s.strict = a.Value == wordStrictNamespace
			return s.strict || a.Value == wordNamespace
		}
	}
	return false
}

// paragraph returns the innermost open paragraph, or nil.
func (s *docxScanner) paragraph() *scannedParagraph {
	if len(s.open) == 0 {
		return nil
	}
	return &s.open[len(s.open)-1]
}

// at reports whether the innermost open elements have these names, the innermost one first.
func (s *docxScanner) at(names ...string) bool {
	n := len(s.stack)
	for i, name := range names {
		if n-1-i < 0 || s.stack[n-1-i].name != name {
			return false
		}
	}
	return true
}

func (s *docxScanner) push(t xml.StartElement, start int) {
	name := ""
	if t.Name.Space == wordNamespace || t.Name.Space == wordStrictNamespace {
		name = t.Name.Local
	}
	if p := s.paragraph(); p != nil {
		p.see(name, s, start)
	}
	s.stack = append(s.stack, scannedElement{name: name, start: start})
	if name == "p" {
		s.open = append(s.open, scannedParagraph{start: start, simple: true})
	}
}

// see notes an element that begins in the paragraph.
func (p *scannedParagraph) see(name string, s *docxScanner, start int) {
	switch {
	case name == "t" && s.at("r"):
		if !p.spoken {
			p.run, p.spoken = s.stack[len(s.stack)-1].run, true
		}
		p.pieces = append(p.pieces, textPiece{start: start})
	case s.at("r") && (name == "tab" || name == "br" || name == "cr"):
		p.pieces = append(p.pieces, textPiece{text: "\n", fixed: true})
		p.simple = false
	case s.at("p") && (name == "r" || name == "pPr" || name == "proofErr"), s.at("r", "p") && (name == "rPr" || name == "lastRenderedPageBreak"):
	case s.within("pPr"):
		p.simple = p.simple && name != "sectPr"
	default:
		p.simple = p.simple && s.within("rPr")
	}
}

// within reports whether an element of this name is open in the innermost paragraph.
func (s *docxScanner) within(name string) bool {
	for i := len(s.stack) - 1; i >= 0 && s.stack[i].name != "p"; i-- {
		if s.stack[i].name == name {
			return true
		}
	}
	return false
}

func (s *docxScanner) pop(end int) {
	e := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	p := s.paragraph()
	if p == nil {
		return
	}
	property := docxProperty{e.name, s.part[e.start:end]}
	switch {
	case e.name == "t" && s.at("r"):
		p.pieces[len(p.pieces)-1].end = end
	case s.at("pPr", "p"):
		p.properties = append(p.properties, property)
	case s.at("rPr", "r"):
		r := &s.stack[len(s.stack)-2]
		r.run = append(r.run, property)
	case e.name == "p":
		p.end = end
		s.done = append(s.done, *p)
		s.open = s.open[:len(s.open)-1]
	}
}
