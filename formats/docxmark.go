package formats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// textEdit replaces bytes of a text.
type textEdit struct {
	start, end int
	text       string
}

// applyEdits applies edits that don't overlap.
func applyEdits(text string, edits []textEdit) string {
	slices.SortStableFunc(edits, func(a, b textEdit) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	done := 0
	for _, e := range edits {
		b.WriteString(text[done:e.start])
		b.WriteString(e.text)
		done = e.end
	}
	b.WriteString(text[done:])
	return b.String()
}

func (f *templateFill) markOf(name string) string { return f.mark + strings.ToLower(name) + "x" }

// value returns the text that a placeholder stands for.
func (f *templateFill) value(p placeholder) string { return f.values[strings.ToLower(p.name)] }

// editsOf returns the edits that turn the placeholders of a paragraph into marks. A placeholder for paragraphs that is alone in its
// paragraph takes the place of the paragraph, or precedes it if that has more than text, such as a bookmark.
func (f *templateFill) editsOf(p scannedParagraph, places []placeholder, kind string) []textEdit {
	text := p.text()
	if len(places) == 1 && places[0].is(blocks...) && strings.TrimSpace(text[:places[0].start]+text[places[0].end:]) == "" {
		mark := f.block(p, strings.ToLower(places[0].name))
		if mark != "" && p.simple {
			return []textEdit{{p.start, p.end, mark}}
		}
		return append(pieceEdits(p.pieces, places, nil), textEdit{p.start, p.start, mark})
	}
	marks := make([]string, len(places))
	for i, at := range places {
		marks[i] = f.markOf(at.name)
		if kind == "document.main" {
			value := inRun(f.value(at))
			f.body[marks[i]] = value
			f.grown += len(value)
		}
	}
	return pieceEdits(p.pieces, places, marks)
}

// inRun returns text as the XML that continues the text of a run.
func inRun(text string) string {
	return strings.ReplaceAll(xmlEscaper.Replace(text), "\n", `</w:t><w:br/><w:t xml:space="preserve">`)
}

// pieceEdits returns the edits that remove the placeholders from the pieces of a paragraph. The piece in which one begins gets its
// mark, if there are marks.
func pieceEdits(pieces []textPiece, places []placeholder, marks []string) []textEdit {
	var edits []textEdit
	from, next := 0, 0 // where the piece begins in the paragraph's text, and the first placeholder that may be in it
	for _, piece := range pieces {
		to := from + len(piece.text)
		var b strings.Builder
		done := from
		for i := next; i < len(places) && places[i].start < to; i++ {
			at := places[i]
			if at.start >= from {
				b.WriteString(piece.text[done-from : at.start-from])
				if marks != nil {
					b.WriteString(marks[i])
				}
			}
			done = min(at.end, to)
			if at.end <= to {
				next = i + 1
			}
		}
		if changed := done > from || b.Len() > 0; changed && !piece.fixed {
			b.WriteString(piece.text[done-from:])
			edits = append(edits, textEdit{piece.start, piece.end, `<w:t xml:space="preserve">` + xmlEscaper.Replace(b.String()) + "</w:t>"})
		}
		from = to
	}
	return edits
}

// block returns the mark of paragraphs in the style of this one, or "" if there are none.
func (f *templateFill) block(p scannedParagraph, name string) string {
	d := docxBody{look: f.lookOf(p), links: f.links}
	switch name {
	case "summary":
		for _, text := range f.document.summary {
			d.paragraph(d.look.text, docxRun{text: text})
		}
	case "chapters":
		for _, c := range f.document.chapters {
			d.paragraph(d.look.text, docxRun{text: chapterText(c, f.options)})
		}
	case "transcript":
		d.transcript(f.document.sections(), f.options, false)
	}
	f.links = d.links
	if d.Len() == 0 {
		return ""
	}
	xml := d.String()
	if p.properties.has("pageBreakBefore") {
		xml = withPageBreak(xml)
	}
	f.blocks++
	f.grown += len(xml)
	mark := f.markOf(strconv.Itoa(f.blocks))
	f.body[mark] = xml
	return mark
}

var untilPageBreak = lazyregexp.New(`^<w:p><w:pPr>(?:<w:pStyle [^>]*>)?(?:<w:keepNext/>)?(?:<w:keepLines/>)?`)

// withPageBreak begins a page with the first of some paragraphs.
func withPageBreak(xml string) string {
	at := len(untilPageBreak.FindString(xml))
	return xml[:at] + "<w:pageBreakBefore/>" + xml[at:]
}
