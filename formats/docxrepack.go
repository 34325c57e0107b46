package formats

import (
	"archive/zip"
	"bytes"
	"html"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

const relationshipsPart = "word/_rels/document.xml.rels"

const emptyRelationships = xmlHeader + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`

// fillProperties fills the placeholders of the core properties, such as the title, and returns them.
func (f *templateFill) fillProperties() ([]placeholder, error) {
	text := f.parts[corePart]
	places, err := findPlaceholders(text)
	if err != nil {
		return nil, err
	}
	var edits []textEdit
	for _, at := range places {
		value := f.value(at)
		if err := f.grow(len(value)); err != nil {
			return nil, err
		}
		edits = append(edits, textEdit{at.start, at.end, xmlEscaper.Replace(strings.ReplaceAll(value, "\n", " "))})
	}
	if len(edits) > 0 {
		f.parts[corePart] = applyEdits(text, edits)
	}
	return places, nil
}

var relationshipTarget = lazyregexp.New(`\sTarget\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// markLinks turns {{source}} into a mark where it is the address of a link.
func (f *templateFill) markLinks() error {
	for _, part := range f.scans {
		name := "word/_rels/" + path.Base(part.name) + ".rels"
		text := f.parts[name]
		var edits []textEdit
		for _, at := range relationshipTarget.FindAllStringSubmatchIndex(text, -1) {
			start, end := max(at[2], at[4]), max(at[3], at[5])
			target := html.UnescapeString(text[start:end])
			if plain, err := url.PathUnescape(target); err == nil {
				target = plain
			}
			places, err := findPlaceholders(target)
			if err != nil || len(places) == 0 {
				continue // braces may be in an address
			}
			if slices.ContainsFunc(places, func(at placeholder) bool { return !at.is("source") }) {
				return templateError("The template links to %q: only {{source}} can be the address of a link.", target)
			}
			if err := part.fillable(places); err != nil {
				return err
			}
			if f.address() == "" {
				return templateError("The template links to {{source}}, but the source %q is no http or https address.", f.values["source"]).
					WithHint("Set the source, or remove the link from the template.")
			}
			edits = append(edits, textEdit{start, end, f.markOf("address")})
		}
		if len(edits) > 0 {
			f.parts[name] = applyEdits(text, edits)
		}
	}
	return nil
}

// address returns the source as the address of a link, or "".
func (f *templateFill) address() string {
	u, err := url.Parse(linkOf(f.values["source"]))
	if err != nil || u.Host == "" {
		return ""
	}
	return u.String()
}

// repack returns the template with its changed parts, and with the relationships of the links in the transcript.
func (f *templateFill) repack() ([]byte, error) {
	old, had := f.parts[relationshipsPart]
	if !had {
		old = emptyRelationships
	}
	f.parts[relationshipsPart] = withRelationships(old, f.links.relationships())
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range f.files {
		var err error
		if text, ok := f.parts[file.Name]; ok {
			err = storePart(z, docxPart{file.Name, text})
		} else {
			err = z.Copy(file)
		}
		if err != nil {
			return nil, templateError("The template's part %s can't be copied.", file.Name).Because(err)
		}
	}
	if !had {
		if err := storePart(z, docxPart{relationshipsPart, f.parts[relationshipsPart]}); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// withRelationships adds elements at the end of a relationships part.
func withRelationships(part, elements string) string {
	if elements == "" {
		return part
	}
	at := strings.LastIndex(part, "</")
	if at < 0 { // <Relationships/>, which has nothing to keep
		return strings.Replace(emptyRelationships, "</", elements+"</", 1)
	}
	return part[:at] + elements + part[at:]
}

// storePart writes a part without compression: the library compresses it later.
func storePart(z *zip.Writer, part docxPart) error {
	p, err := z.CreateHeader(&zip.FileHeader{Name: part.name, Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.WriteString(p, part.content)
	return err
}
