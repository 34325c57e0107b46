package formats

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// laidOut returns the layout of a document, with the built-in fonts.
func laidOut(t *testing.T, tr transcript.Transcript, o Options) *pdfLayout {
	t.Helper()
	fonts, err := typeset.NewFonts(nil, false)
	require.NoError(t, err)
	size, err := o.pageSize(tr.Language)
	require.NoError(t, err)
	l, err := layoutPDF(prepareDocument(tr, o), o, size, typeset.New(fonts, string(tr.Language)))
	require.NoError(t, err)
	return l
}

// chaptered returns a transcript of turns with different lengths, and chapters every few turns.
func chaptered(turns int) (transcript.Transcript, Options) {
	tr := transcript.Transcript{Language: "en"}
	o := Options{Title: "Pages", SpeakerTable: true, Summary: strings.Repeat("A summary of what is said. ", 30), Source: "https://example.com/a"}
	for i := range turns {
		start := time.Duration(i) * 20 * time.Second
		text := strings.TrimSpace(strings.Repeat("some words, ", 1+i*7%40)) + " https://example.com/" + strconv.Itoa(i)
		tr.Utterances = append(tr.Utterances, transcript.Utterance{Speaker: fmt.Sprintf("Speaker %d", i%5), Text: text, Start: start, End: start + 15*time.Second})
		if i%4 == 0 {
			o.Chapters = append(o.Chapters, Chapter{Start: start, Title: fmt.Sprintf("Chapter %d", len(o.Chapters)+1), Summary: "What it is about."})
		}
	}
	return tr, o
}

// Everything is inside the margins of both papers. No page ends with a heading or a speaker, wherever the page breaks are.
func TestPDFPageBreaks(t *testing.T) {
	t.Parallel()
	for turns := 1; turns < 60; turns += 3 {
		for _, paper := range []Paper{PaperA4, PaperLetter} {
			tr, o := chaptered(turns)
			o.Paper = paper
			l := laidOut(t, tr, o)
			for n, p := range l.pages {
				var last pdfLine
				for _, line := range p.lines {
					if line.element == artifact {
						continue
					}
					width := 0.0
					for _, g := range line.glyphs {
						width += float64(g.Advance) * line.style.size / 1000
					}
					require.GreaterOrEqual(t, line.x, margin)
					require.LessOrEqual(t, line.x+width, l.size.width-margin+5, "%d turns", turns) // spaces may hang over
					require.GreaterOrEqual(t, line.y, margin-0.01)
					require.LessOrEqual(t, line.y, l.size.height-margin)
					last = line
				}
				require.NotEmpty(t, p.lines[:len(p.lines)-1], "page %d of %d turns is empty", n, turns)
				require.NotContains(t, []string{"H1", "H2", "H3", "Span"}, l.tree.elements[last.element].tag, "page %d of %d turns", n, turns)
				require.NotRegexp(t, `^\d\d:\d\d:\d\d $`, last.text())
			}
		}
	}
}

// Lines from right to left end exactly at the right margin, whether spaces follow or not.
func TestPDFRightToLeftMargin(t *testing.T) {
	t.Parallel()
	l := &pdfLayout{setter: typeset.New(nil, ""), size: pageSize{500, 500}, pages: []*pdfPage{{}}}
	word := typeset.Placed{Advance: 800}
	for _, glyphs := range [][]typeset.Placed{{word}, {{Advance: 250}, word}} {
		l.draw(typeset.Line{Glyphs: glyphs, Width: 800, RTL: true}, bodyStyle, column{100, 400}, 0)
		line := l.pages[0].lines[len(l.pages[0].lines)-1]
		for _, g := range line.glyphs {
			line.x += float64(g.Advance) * bodyStyle.size / 1000
		}
		require.InDelta(t, 400, line.x, 1e-9)
	}
}

// text returns the text of a line.
func (l pdfLine) text() string {
	var b strings.Builder
	for _, g := range l.glyphs {
		b.WriteString(l.widths[g.Code].Text)
	}
	return b.String()
}

// The list of chapters has the pages that their headings are on, and links there.
func TestPDFChapterPages(t *testing.T) {
	t.Parallel()
	tr, o := chaptered(50)
	l := laidOut(t, tr, o)
	headings, targets, numbers := map[string]int{}, map[string]int{}, map[string]string{} // by title
	for n, p := range l.pages {
		for _, line := range p.lines {
			if line.element < 0 {
				continue
			}
			e := l.tree.elements[line.element]
			if e.tag == "H3" {
				headings[line.text()] = n
			}
			if e.link != nil && e.link.address == "" {
				targets[e.link.contents] = e.link.place.page
				numbers[e.link.contents] = line.text() // the last part of an entry is its number
			}
		}
	}
	require.Len(t, headings, len(o.Chapters))
	require.Equal(t, headings, targets)
	require.Greater(t, headings["Chapter 13"], headings["Chapter 1"])
	for title, page := range headings {
		require.Equal(t, strconv.Itoa(page+1), numbers[title])
	}
}

// A table of 100 speakers continues on further pages, below its header, and no row is divided.
func TestPDFLongTable(t *testing.T) {
	t.Parallel()
	tr := transcript.Transcript{Language: "en"}
	for i := range 100 {
		start := time.Duration(i) * time.Second
		tr.Utterances = append(tr.Utterances, transcript.Utterance{Speaker: fmt.Sprintf("Dr. %d of the Department of Long Names, which don't fit into the column of a table", i), Text: "Yes.", Start: start, End: start + time.Second})
	}
	l := laidOut(t, tr, Options{SpeakerTable: true})
	repeated := 0
	pageOf := map[int]int{} // by element
	for n, p := range l.pages {
		for i, line := range p.lines {
			if line.element == repetition && (i == 0 || p.lines[i-1].element != repetition) {
				require.Zero(t, i, "the header is the first on page %d", n)
				repeated++
			}
			if line.element >= 0 && l.tree.elements[line.element].tag == "TH" {
				if page, ok := pageOf[line.element]; ok {
					require.Equal(t, page, n)
				}
				pageOf[line.element] = n
			}
		}
	}
	require.Len(t, pageOf, 100+3)
	require.Greater(t, repeated, 3)
}
