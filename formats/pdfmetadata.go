package formats

import (
	"strings"
	"time"
)

// pdfMetadata returns the XMP packet of a PDF (ISO 16684-1). It says that the file conforms to PDF/UA-1, which requires the title.
func pdfMetadata(s document, o Options) []byte {
	var b strings.Builder
	text := func(before, value, after string) {
		b.WriteString(before)
		_, _ = xmlEscaper.WriteString(&b, value)
		b.WriteString(after)
	}
	b.WriteString(`<?xpacket begin="` + "\uFEFF" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
<dc:format>application/pdf</dc:format>
`)
	text("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">", s.headline(), "</rdf:li></rdf:Alt></dc:title>\n")
	text("<dc:language><rdf:Bag><rdf:li>", localeOf(s.Language).tag, "</rdf:li></rdf:Bag></dc:language>\n")
	text("<dc:creator><rdf:Seq><rdf:li>", o.creator(), "</rdf:li></rdf:Seq></dc:creator>\n")
	text("<xmp:CreatorTool>", defaultCreator, "</xmp:CreatorTool>\n")
	text("<pdf:Producer>", pdfProducer, "</pdf:Producer>\n")
	if !o.Created.IsZero() {
		text("<xmp:CreateDate>", o.Created.UTC().Format(time.RFC3339), "</xmp:CreateDate>\n")
	}
	if m := o.modified(); !m.IsZero() {
		text("<xmp:ModifyDate>", m.UTC().Format(time.RFC3339), "</xmp:ModifyDate>\n")
	}
	b.WriteString("</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>")
	return []byte(b.String())
}
