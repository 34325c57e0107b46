package formats

import (
	"slices"
	"strings"
)

// docxProperties are the elements in a <w:pPr> or <w:rPr>.
type docxProperties []docxProperty

type docxProperty struct{ name, xml string }

// The orders that the schema requires (ECMA-376 part 1, A.1).
var (
	paragraphOrder = strings.Fields("pStyle keepNext keepLines pageBreakBefore framePr widowControl numPr suppressLineNumbers pBdr shd tabs " +
		"suppressAutoHyphens kinsoku wordWrap overflowPunct topLinePunct autoSpaceDE autoSpaceDN bidi")
	runOrder = strings.Fields("rStyle rFonts b bCs i iCs caps smallCaps strike dstrike outline shadow emboss imprint noProof snapToGrid vanish " +
		"webHidden color spacing w kern position sz szCs highlight u effect bdr shd fitText vertAlign rtl")
)

// with returns the properties with another one, in place of one of its name.
func (p docxProperties) with(order []string, property docxProperty) docxProperties {
	p = p.without(property.name)
	at := slices.IndexFunc(p, func(q docxProperty) bool {
		i := slices.Index(order, q.name)
		return i < 0 || i > slices.Index(order, property.name)
	})
	if at < 0 {
		at = len(p)
	}
	return slices.Insert(p, at, property)
}

// without returns a copy that lacks the properties of some names.
func (p docxProperties) without(names ...string) docxProperties {
	var rest docxProperties
	for _, q := range p {
		if !slices.Contains(names, q.name) {
			rest = append(rest, q)
		}
	}
	return rest
}

func (p docxProperties) has(name string) bool {
	return slices.ContainsFunc(p, func(q docxProperty) bool { return q.name == name })
}

func (p docxProperties) String() string {
	var b strings.Builder
	for _, q := range p {
		b.WriteString(q.xml)
	}
	return b.String()
}

// paragraphLook returns the look of a paragraph with these properties.
func (p docxProperties) paragraphLook() paragraphLook {
	return paragraphLook{
		ltr: "<w:pPr>" + p.String() + "</w:pPr>",
		rtl: "<w:pPr>" + p.with(paragraphOrder, docxProperty{"bidi", "<w:bidi/>"}).String() + "</w:pPr>",
	}
}

// runLook returns the look of a run with these properties.
func (p docxProperties) runLook() runLook {
	return runLook{
		ltr: "<w:rPr>" + p.String() + "</w:rPr>",
		rtl: "<w:rPr>" + p.with(runOrder, docxProperty{"rtl", "<w:rtl/>"}).String() + "</w:rPr>",
	}
}
