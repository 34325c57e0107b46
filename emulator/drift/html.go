package drift

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/emulator/conformance"
)

//go:embed report.html
var page string

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("drift").Funcs(template.FuncMap{"numbers": numbers, "plural": plural, "prose": prose}).Parse(page))
})

// writeHTML writes one page that loads nothing. All text from the service is escaped.
func (r Report) writeHTML(w io.Writer) error {
	type count struct {
		Provenance conformance.Provenance
		Count      int
	}
	var counts []count
	for _, p := range conformance.Provenances() {
		counts = append(counts, count{p, r.Count(p)})
	}
	return pageTemplate().Execute(w, struct {
		Report
		ByProvenance []count
		Reasons      []Uncheckable
	}{r, counts, r.Unchecked()})
}

// prose returns escaped text with what is between backquotes as code.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			part = "<code>" + template.HTMLEscapeString(part) + "</code>"
		} else {
			part = template.HTMLEscapeString(part)
		}
		b.WriteString(part)
	}
	return template.HTML(b.String()) //nolint:gosec // each part is escaped
}
