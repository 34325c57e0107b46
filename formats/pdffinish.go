package formats

import (
	"bytes"
	"fmt"

	"github.com/soundstage-dev/soundstage/formats/internal/pdffile"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// resourcesObject is the number that gofpdf gives to the resources of all pages.
const resourcesObject = 2

var outlineRef = lazyregexp.New(`/Outlines (\d+ 0 R)`)

// finishPDF adds fonts, structure, language, properties and metadata to gofpdf's output.
func finishPDF(made []byte, s document, o Options, l *pdfLayout) ([]byte, error) {
	f, err := pdffile.Parse(made)
	if err != nil {
		return nil, err
	}
	f.Compress()
	var pages []int
	info := 0
	for n := 1; n <= f.Len(); n++ {
		switch object := f.Object(n); {
		case bytes.HasPrefix(object, []byte("<</Type /Page\n")):
			pages = append(pages, n)
		case bytes.HasPrefix(object, []byte("<<\n/Producer")):
			info = n
		}
	}
	regular := addFont(f, "SoundstageText", l.setter.Glyphs(typeset.Regular))
	bold := addFont(f, "SoundstageText-Bold", l.setter.Glyphs(typeset.Bold))
	f.Set(resourcesObject, fmt.Sprintf("<</ProcSet [/PDF /Text] /Font <</R %s /B %s>>>>", pdffile.Ref(regular), pdffile.Ref(bold)))
	outlines := ""
	if m := outlineRef.FindSubmatch(f.Object(f.Root)); m != nil {
		outlines = " /PageMode /UseOutlines /Outlines " + string(m[1])
	}
	lang := localeOf(s.Language).tag
	metadata := f.AddPlainStream(" /Type /Metadata /Subtype /XML", pdfMetadata(s, o))
	f.Set(f.Root, fmt.Sprintf("<</Type /Catalog /Pages 1 0 R%s /Lang (%s) /ViewerPreferences <</DisplayDocTitle true>> /MarkInfo <</Marked true>> /Metadata %s /StructTreeRoot %s>>",
		outlines, lang, pdffile.Ref(metadata), pdffile.Ref(l.tree.write(f, pages))))
	f.Set(info, pdfInfo(s, o))
	return f.Bytes(info), nil
}

// pdfProducer is the program that wrote the file.
const pdfProducer = "Soundstage with gofpdf"

// pdfInfo returns the document information dictionary (ISO 32000-1, 14.3.3). It equals the metadata.
func pdfInfo(s document, o Options) string {
	info := "<</Title " + pdffile.Text(s.headline()) + " /Author " + pdffile.Text(o.creator()) +
		" /Creator " + pdffile.Text(defaultCreator) + " /Producer " + pdffile.Text(pdfProducer)
	if !o.Created.IsZero() {
		info += " /CreationDate " + pdffile.Date(o.Created)
	}
	if m := o.modified(); !m.IsZero() {
		info += " /ModDate " + pdffile.Date(m)
	}
	return info + ">>"
}
