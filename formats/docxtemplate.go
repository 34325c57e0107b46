package formats

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nguyenthenguyen/docx"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// templateFill fills a template.
//
// Word divides text into runs as it likes, so the name of a placeholder may be in several of them. Therefore each placeholder first
// becomes a mark, which is in one run and occurs in no other text. Then the library replaces the marks.
type templateFill struct {
	*docxPackage
	document document
	options  Options
	values   map[string]string // by placeholder
	styles   docxStyleIDs
	scans    []scannedPart
	mark     string            // what all marks begin with
	body     map[string]string // XML by mark, for the main part
	blocks   int               // how many marks stand for paragraphs
	grown    int               // bytes of that XML
	links    docxLinks
}

// scannedPart is a part that has text, and its placeholders by paragraph.
type scannedPart struct {
	name, kind string
	*docxScanner
	places [][]placeholder
}

// writeTemplate writes the template of the options, with its placeholders filled.
func writeTemplate(w io.Writer, s document, o Options) error {
	p, err := openTemplate(o.Template)
	if err != nil {
		return err
	}
	f := &templateFill{docxPackage: p, document: s, options: o, values: placeholderValues(s, o), body: map[string]string{}}
	f.mark = unused("FILL", p.parts, f.values)
	f.links.prefix = unused("rLink", p.parts)
	if f.styles, err = readStyleIDs(p.parts[stylesPart]); err != nil {
		return err
	}
	if err := f.find(); err != nil {
		return err
	}
	if err := f.markTexts(); err != nil {
		return err
	}
	if err := f.markLinks(); err != nil {
		return err
	}
	return f.fill(w)
}

// unused returns a word that occurs in no text.
func unused(word string, texts ...map[string]string) string {
	for n := 0; ; n++ {
		candidate := word + strconv.Itoa(n) + "x"
		if !slices.ContainsFunc(texts, func(all map[string]string) bool {
			return slices.ContainsFunc(slices.Collect(maps.Values(all)), func(text string) bool { return strings.Contains(text, candidate) })
		}) {
			return candidate
		}
	}
}

// find finds the placeholders of all parts. It returns CodeInvalid if there are none, or unknown ones.
func (f *templateFill) find() error {
	var all []placeholder
	for _, file := range f.files {
		kind := f.types[file.Name]
		if !slices.Contains([]string{"document.main", "header", "footer", "footnotes", "endnotes"}, kind) {
			continue
		}
		scan, err := scanPart(file.Name, f.parts[file.Name])
		if err != nil {
			return err
		}
		part := scannedPart{file.Name, kind, scan, nil}
		for _, p := range scan.done {
			places, err := findPlaceholders(p.text())
			if err != nil {
				return err
			}
			part.places = append(part.places, places)
			all = append(all, places...)
		}
		f.scans = append(f.scans, part)
	}
	here, err := f.fillProperties()
	if err != nil {
		return err
	}
	all = append(all, here...)
	switch {
	case len(all) > maxPlaceholders:
		return fault.Errorf(fault.CodeTooLarge, "Template", "The template has more than %d placeholders.", maxPlaceholders)
	case len(all) == 0:
		return templateError("The template has no placeholders.").WithHint("Write {{transcript}} where the transcript is to be.")
	}
	return unknownPlaceholders(all)
}

// markTexts turns the placeholders of all parts into marks.
func (f *templateFill) markTexts() error {
	for _, part := range f.scans {
		var edits []textEdit
		f.links.strict = f.links.strict || part.strict
		for i, p := range part.done {
			if len(part.places[i]) == 0 {
				continue
			}
			if err := part.fillable(part.places[i]); err != nil {
				return err
			}
			edits = append(edits, f.editsOf(p, part.places[i], part.kind)...)
			if f.blocks > maxBlocks {
				return fault.Errorf(fault.CodeTooLarge, "Template", "The template has more than %d placeholders for paragraphs.", maxBlocks)
			}
			if err := f.grow(0); err != nil {
				return err
			}
		}
		f.parts[part.name] = applyEdits(part.part, edits)
	}
	return nil
}

// grow counts bytes that the document grows by.
func (f *templateFill) grow(n int) error {
	if f.grown += n; f.grown > maxFilled {
		return fault.Errorf(fault.CodeTooLarge, "Template", "The filled template would have more than %d MiB.", maxFilled>>20)
	}
	return nil
}

// fillable returns an error if these placeholders can't be in the part. The library finds headers and footers by their names.
func (p scannedPart) fillable(places []placeholder) error {
	if p.name == docxMain {
		return nil
	}
	if p.kind != "header" && p.kind != "footer" || !strings.Contains(path.Base(p.name), p.kind) {
		return templateError("The template has {{%s}} in %s, which can't be filled.", places[0].name, p.name).WithHint("Move it to the text, a header, or a footer.")
	}
	for _, at := range places {
		if at.is(blocks...) {
			return templateError("The template has {{%s}} in a %s, which is one line.", at.name, p.kind).WithHint("Move it to the text.")
		}
	}
	return nil
}

// fill replaces the marks and writes the document.
func (f *templateFill) fill(w io.Writer) error {
	file, err := f.repack()
	if err != nil {
		return err
	}
	r, err := docx.ReadDocxFromMemory(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return templateError("The template can't be read.").Because(err)
	}
	d := r.Editable()
	for _, mark := range slices.SortedFunc(maps.Keys(f.body), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		d.ReplaceRaw(mark, f.body[mark], -1)
	}
	for _, name := range Placeholders() {
		if slices.Contains(blocks, name) {
			continue
		}
		if err := cmp.Or(d.ReplaceHeader(f.markOf(name), f.values[name]), d.ReplaceFooter(f.markOf(name), f.values[name])); err != nil {
			return err
		}
	}
	if address := f.address(); address != "" {
		mark := f.markOf("address")
		if err := cmp.Or(d.ReplaceLink(mark, address, -1), d.ReplaceHeader(mark, address), d.ReplaceFooter(mark, address)); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := d.Write(&out); err != nil {
		return err
	}
	return writeFile(w, &out)
}
