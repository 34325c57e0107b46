package formats

import (
	"bytes"
	"io"

	"github.com/jung-kurt/gofpdf"

	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// WritePDF writes a PDF that conforms to PDF/UA-1 (ISO 14289-1): title, date, source, duration, and speakers; the sections of
// Options; and the transcript with speaker and time above each paragraph. Bookmarks lead to sections and chapters, or to every
// fifth minute. Text in every script can be selected, copied and searched. If no font has a script, the error is CodeUnavailable
// with an installation hint. An unknown Options.Paper is CodeInvalid.
//
// gofpdf writes the pages and the outline. It never gets text, because it would shape and break it incorrectly and lose
// characters. Package typeset positions the glyphs, cff writes the fonts, and pdffile adds what gofpdf can't write.
func WritePDF(w io.Writer, t transcript.Transcript, o Options) error {
	size, err := o.pageSize(t.Language)
	if err != nil {
		return err
	}
	fonts, err := o.fonts()
	if err != nil {
		return err
	}
	s := prepareDocument(t, o)
	setter := typeset.New(fonts, string(s.Language))
	l, err := layoutPDF(s, o, size, setter)
	if err != nil {
		return fontError(err)
	}
	doc := gofpdf.NewCustom(&gofpdf.InitType{UnitStr: "pt", Size: gofpdf.SizeType{Wd: size.width, Ht: size.height}})
	doc.SetCatalogSort(true)
	doc.SetCompression(false) // pdffile compresses
	doc.SetAutoPageBreak(false, 0)
	doc.SetMargins(0, 0, 0)
	for i, p := range l.pages {
		doc.AddPage()
		for _, m := range p.bookmarks {
			doc.Bookmark(pdffile.TextBytes(m.text), m.level, m.y)
		}
		doc.RawWriteBuf(bytes.NewReader(p.content(i, &l.tree)))
	}
	var made bytes.Buffer
	if err := doc.Output(&made); err != nil {
		return err
	}
	file, err := finishPDF(made.Bytes(), s, o, l)
	if err != nil {
		return err
	}
	return writeFile(w, bytes.NewBuffer(file))
}
