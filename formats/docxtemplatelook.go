package formats

import (
	"encoding/xml"
	"strings"
)

// docxStyleIDs are the IDs of a template's styles by type and name, such as "paragraph speaker".
type docxStyleIDs map[string]string

func readStyleIDs(part string) (docxStyleIDs, error) {
	var sheet struct {
		Styles []struct {
			Type string `xml:"type,attr"`
			ID   string `xml:"styleId,attr"`
			Name struct {
				Value string `xml:"val,attr"`
			} `xml:"name"`
		} `xml:"style"`
	}
	if part == "" {
		return nil, nil
	}
	if err := xml.Unmarshal([]byte(part), &sheet); err != nil {
		return nil, templateError("The template's part %s isn't valid XML.", stylesPart).Because(err)
	}
	ids := docxStyleIDs{}
	for _, s := range sheet.Styles {
		ids[s.Type+" "+strings.ToLower(s.Name.Value)] = s.ID
	}
	return ids, nil
}

// lookOf returns how a transcript looks in place of a paragraph: as the paragraph, with bold names. Styles of the template with the
// names Speaker, Timestamp, heading 2, and Hyperlink take precedence for what they are named after.
func (f *templateFill) lookOf(p scannedParagraph) docxLook {
	properties := p.properties.without("sectPr", "pPrChange", "pageBreakBefore")
	run := p.run.without("rPrChange")
	bold := run.with(runOrder, docxProperty{"b", "<w:b/>"}).with(runOrder, docxProperty{"bCs", "<w:bCs/>"}).runLook()
	above := properties.with(paragraphOrder, docxProperty{"keepNext", "<w:keepNext/>"}).paragraphLook()
	look := docxLook{
		text: properties.paragraphLook(), summary: properties.paragraphLook(), chapter: above, speaker: above,
		plain: run.runLook(), name: bold, title: bold, time: run.runLook(),
		link: run.with(runOrder, docxProperty{"u", `<w:u w:val="single"/>`}).runLook(),
	}
	if id := f.styles["paragraph speaker"]; id != "" {
		look.speaker, look.name = paragraphStyle(xmlEscaper.Replace(id)), runStyle("")
	}
	if id := f.styles["paragraph heading 2"]; id != "" {
		look.chapter, look.title = paragraphStyle(xmlEscaper.Replace(id)), runStyle("")
	}
	if id := f.styles["character timestamp"]; id != "" {
		look.time = runStyle(xmlEscaper.Replace(id))
	} else if f.styles["paragraph speaker"] != "" {
		look.time = runStyle("")
	}
	if id := f.styles["character hyperlink"]; id != "" {
		look.link = run.with(runOrder, docxProperty{"rStyle", `<w:rStyle w:val="` + xmlEscaper.Replace(id) + `"/>`}).runLook()
	}
	return look
}
