package formats

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Limits of a template.
const (
	maxTemplate      = 32 << 20  // bytes
	maxTemplateFiles = 5000      // in the zip file
	maxUnpacked      = 256 << 20 // bytes of all of them
	maxTemplatePart  = 16 << 20  // bytes of a part that may have placeholders
)

const (
	contentTypesPart = "[Content_Types].xml"
	stylesPart       = "word/styles.xml"
	corePart         = "docProps/core.xml"
	wordType         = "application/vnd.openxmlformats-officedocument.wordprocessingml."
)

// docxPackage is an unpacked template.
type docxPackage struct {
	files []*zip.File
	parts map[string]string // contents of the parts that may change
	types map[string]string // content types by name, apart from defaults
}

// templateError returns the error of a template that can't be used.
func templateError(format string, args ...any) *fault.Error {
	return fault.Errorf(fault.CodeInvalid, "Template", format, args...)
}

// openTemplate reads a template and checks that it is a Word document within the limits, without macros.
func openTemplate(file []byte) (*docxPackage, error) {
	const hint = "Save it as a Word document (.docx)."
	if len(file) > maxTemplate {
		return nil, fault.Errorf(fault.CodeTooLarge, "Template", "The template has more than %d MiB.", maxTemplate>>20)
	}
	if bytes.HasPrefix(file, []byte("\xd0\xcf\x11\xe0")) {
		return nil, templateError("The template is a Word 97 document (.doc), or has a password.").WithHint(hint)
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, templateError("The template isn't a Word document.").WithHint(hint).Because(err)
	}
	p := &docxPackage{parts: map[string]string{}}
	if err := p.check(z.File); err != nil {
		return nil, err
	}
	if err := p.readTypes(); err != nil {
		return nil, err
	}
	if p.types[docxMain] == "" || !p.has(docxMain) {
		return nil, templateError("The template isn't a Word document: it has no %s.", docxMain).WithHint(hint)
	}
	return p, nil
}

// check reads every file once, so that later reads can't fail, and keeps the parts that may change.
func (p *docxPackage) check(files []*zip.File) error {
	if len(files) > maxTemplateFiles {
		return fault.Errorf(fault.CodeTooLarge, "Template", "The template has more than %d parts.", maxTemplateFiles)
	}
	seen := map[string]bool{}
	left := uint64(maxUnpacked)
	for _, f := range files {
		name := strings.ToLower(f.Name)
		switch {
		case strings.HasSuffix(name, "/"):
			continue
		case seen[name] || name == "" || name[0] == '/' || strings.ContainsAny(name, "\\\x00") || strings.Contains("/"+name+"/", "/../"):
			return templateError("The template has a part with the invalid name %q.", f.Name)
		case strings.HasSuffix(name, "vbaproject.bin"):
			return templateError("The template has macros.").WithHint("Save it as a Word document without macros (.docx).")
		case f.UncompressedSize64 > left:
			return fault.Errorf(fault.CodeTooLarge, "Template", "The template has more than %d MiB when it is unpacked.", maxUnpacked>>20)
		}
		seen[name], left = true, left-f.UncompressedSize64
		if err := p.read(f); err != nil {
			return err
		}
		p.files = append(p.files, f)
	}
	return nil
}

// read checks a file's bytes, which are as many as it says or fewer, and keeps those of a part that may change.
func (p *docxPackage) read(f *zip.File) error {
	r, err := f.Open()
	if err != nil {
		return templateError("The template's part %s can't be read.", f.Name).Because(err)
	}
	defer func() { _ = r.Close() }()
	to := io.Discard
	var text strings.Builder
	if mayChange(f.Name) {
		if f.UncompressedSize64 > maxTemplatePart {
			return fault.Errorf(fault.CodeTooLarge, "Template", "The template's part %s has more than %d MiB.", f.Name, maxTemplatePart>>20)
		}
		to = &text
	}
	if _, err := io.Copy(to, r); err != nil {
		return templateError("The template's part %s is damaged.", f.Name).Because(err)
	}
	if to == &text {
		p.parts[f.Name] = strings.TrimPrefix(text.String(), "\uFEFF")
	}
	return nil
}

// mayChange reports whether a part is XML that this package reads.
func mayChange(name string) bool {
	folder, _, _ := strings.Cut(name, "/")
	return name == contentTypesPart || name == corePart ||
		folder == "word" && (strings.HasSuffix(name, ".xml") && strings.Count(name, "/") == 1 || strings.HasSuffix(name, ".rels"))
}

func (p *docxPackage) has(name string) bool { _, ok := p.parts[name]; return ok }

// readTypes reads the content types, and turns a Word template (.dotx) into a document.
func (p *docxPackage) readTypes() error {
	const macros = "macroEnabled"
	text := p.parts[contentTypesPart]
	if strings.Contains(text, macros) {
		return templateError("The template has macros.").WithHint("Save it as a Word document without macros (.docx).")
	}
	text = strings.Replace(text, `"`+wordType+`template.main+xml"`, `"`+wordType+`document.main+xml"`, 1)
	p.parts[contentTypesPart] = text
	var types struct {
		Overrides []struct {
			Name string `xml:"PartName,attr"`
			Type string `xml:"ContentType,attr"`
		} `xml:"Override"`
	}
	if err := xml.Unmarshal([]byte(text), &types); err != nil && !errors.Is(err, io.EOF) {
		return templateError("The template's part %s isn't valid XML.", contentTypesPart).Because(err)
	}
	p.types = map[string]string{}
	for _, o := range types.Overrides {
		if kind, ok := strings.CutPrefix(o.Type, wordType); ok {
			p.types[strings.TrimPrefix(o.Name, "/")] = strings.TrimSuffix(kind, "+xml")
		}
	}
	return nil
}
