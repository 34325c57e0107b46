package formats

import (
	"net/url"
	"strconv"
	"strings"
)

// docxBody builds the text of a document.
type docxBody struct {
	strings.Builder
	look     docxLook
	links    docxLinks
	pages    *docxPages // nil without a table of contents
	chapters []docxChapter
}

// docxRun is text of one look; the zero look is the plain one.
type docxRun struct {
	text string
	look runLook
	link string // address that the text links to, or ""
}

// paragraph writes a paragraph. It is right-to-left if its first letter is.
func (d *docxBody) paragraph(look paragraphLook, runs ...docxRun) {
	rtl := d.openParagraph(look, runs...)
	d.runs(rtl, runs...)
	d.WriteString("</w:p>")
}

// openParagraph writes the start of a paragraph and reports whether it is right-to-left.
func (d *docxBody) openParagraph(look paragraphLook, runs ...docxRun) bool {
	if d.pages != nil {
		d.pages.add(look.space, runs...)
	}
	d.WriteString("<w:p>")
	for _, r := range runs {
		if startsRightToLeft(r.text) {
			d.WriteString(look.rtl)
			return true
		}
	}
	d.WriteString(look.ltr)
	return false
}

// runs writes text. Addresses in runs of the plain look become links.
func (d *docxBody) runs(rtl bool, runs ...docxRun) {
	for _, r := range runs {
		if r.look == (runLook{}) {
			r.look = d.look.plain
		}
		if r.link != "" || r.look != d.look.plain {
			d.linked(r, rtl)
			continue
		}
		done := 0
		for _, l := range linksIn(r.text) {
			d.directed(r.text[done:l.start], r.look, rtl)
			d.linked(docxRun{r.text[l.start:l.end], d.look.link, l.address}, rtl)
			done = l.end
		}
		d.directed(r.text[done:], r.look, rtl)
	}
}

// linked writes a run, inside a link if it has an address that a link can have.
func (d *docxBody) linked(r docxRun, rtl bool) {
	id := ""
	if r.link != "" {
		id = d.links.id(r.link)
	}
	if id == "" {
		d.directed(r.text, r.look, rtl)
		return
	}
	d.WriteString(`<w:hyperlink xmlns:r="` + d.links.namespace() + `" r:id="` + id + `" w:history="1">`)
	d.directed(r.text, r.look, rtl)
	d.WriteString("</w:hyperlink>")
}

// directed writes text as one run for each direction.
func (d *docxBody) directed(text string, look runLook, rtl bool) {
	switch {
	case text == "":
	case !rtl && !hasRightToLeft(text):
		d.run(text, look.ltr)
	default:
		for _, part := range directions(text, rtl) {
			if part.rtl {
				d.run(part.text, look.rtl)
			} else {
				d.run(part.text, look.ltr)
			}
		}
	}
}

func (d *docxBody) run(text, properties string) {
	d.WriteString("<w:r>")
	d.WriteString(properties)
	if text[0] == ' ' || text[len(text)-1] == ' ' || strings.Contains(text, "  ") {
		d.WriteString(`<w:t xml:space="preserve">`)
	} else {
		d.WriteString("<w:t>")
	}
	_, _ = xmlEscaper.WriteString(d, text)
	d.WriteString("</w:t></w:r>")
}

// docxLinks collects the addresses that a document links to. Each is a relationship of the main part.
type docxLinks struct {
	prefix    string // of IDs
	strict    bool   // uses the namespaces of ISO 29500 Strict
	addresses []string
	ids       map[string]string
}

// id returns the ID of the relationship to an address, or "" if it isn't a valid URL.
func (l *docxLinks) id(address string) string {
	if id, ok := l.ids[address]; ok {
		return id
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	if l.ids == nil {
		l.ids = map[string]string{}
	}
	l.addresses = append(l.addresses, u.String())
	l.ids[address] = l.prefix + strconv.Itoa(len(l.addresses))
	return l.ids[address]
}

func (l *docxLinks) namespace() string {
	if l.strict {
		return "http://purl.oclc.org/ooxml/officeDocument/relationships"
	}
	return "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
}

// relationships returns the elements of the addresses for the relationships part.
func (l *docxLinks) relationships() string {
	var b strings.Builder
	for i, address := range l.addresses {
		b.WriteString(`<Relationship xmlns="http://schemas.openxmlformats.org/package/2006/relationships" Id="` + l.prefix + strconv.Itoa(i+1) +
			`" Type="` + l.namespace() + `/hyperlink" Target="` + xmlEscaper.Replace(address) + `" TargetMode="External"/>`)
	}
	return b.String()
}
