package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Payload is a recorded body: JSON, text, bytes, the parts of a form, or only the length and hash of a body too large to keep.
type Payload struct {
	Type   string          `json:"type,omitempty"`   // media type of a request body; a response has it in its header
	JSON   json.RawMessage `json:"json,omitempty"`   // reformatted
	Layout Layout          `json:"layout,omitempty"` // original white space of JSON
	Text   *string         `json:"text,omitempty"`
	Base64 []byte          `json:"base64,omitempty"`
	Parts  []Part          `json:"parts,omitempty"`  // of multipart/form-data
	Size   int64           `json:"size,omitempty"`   // with SHA256
	SHA256 string          `json:"sha256,omitempty"` // in hex
	Longer int64           `json:"longer,omitempty"` // the body was longer than this many bytes and was not kept
}

// Part is a field or a file of a form.
type Part struct {
	Name   string  `json:"name"`
	Value  *string `json:"value,omitempty"` // of a field
	File   string  `json:"file,omitempty"`  // name of a file
	Type   string  `json:"type,omitempty"`  // of a file
	Size   int64   `json:"size,omitempty"`
	SHA256 string  `json:"sha256,omitempty"` // of a file, in hex
}

// Layout is the white space in a server's JSON. The zero Layout is none.
type Layout string

const (
	layoutLine         Layout = "line"          // none, but a line break at the end
	layoutIndented     Layout = "indented"      // two spaces per level
	layoutIndentedLine Layout = "indented line" // two spaces per level, and a line break at the end
)

// bodyOf converts a response body so that Bytes restores it exactly: as JSON if its layout is known, else as text, else as base64.
func bodyOf(b []byte) *Payload {
	if len(b) == 0 {
		return nil
	}
	if utf8.Valid(b) {
		if json.Valid(b) {
			for _, layout := range []Layout{"", layoutLine, layoutIndented, layoutIndentedLine} {
				p := &Payload{JSON: compact(b), Layout: layout}
				if bytes.Equal(p.Bytes(), b) {
					return p
				}
			}
		}
		text := string(b)
		return &Payload{Text: &text}
	}
	return &Payload{Base64: b}
}

// Bytes returns the recorded bytes of a body, or nil.
func (p *Payload) Bytes() []byte {
	switch {
	case p == nil:
		return nil
	case p.Text != nil:
		return []byte(*p.Text)
	case p.JSON == nil:
		return p.Base64
	}
	b := compact(p.JSON)
	if p.Layout == layoutIndented || p.Layout == layoutIndentedLine {
		var indented bytes.Buffer
		_ = json.Indent(&indented, b, "", "  ") // b is JSON
		b = indented.Bytes()
	}
	if p.Layout == layoutLine || p.Layout == layoutIndentedLine {
		b = append(b, '\n')
	}
	return b
}

// compact removes white space from JSON.
func compact(b []byte) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, b) // b is JSON
	return out.Bytes()
}

var hexSHA256 = lazyregexp.New(`^[0-9a-f]{64}$`)

// check returns what is wrong with a body that was read, or nil.
func (p *Payload) check() error {
	if p == nil {
		return nil
	}
	forms := 0
	for _, has := range []bool{p.JSON != nil, p.Text != nil, len(p.Base64) > 0, len(p.Parts) > 0, p.SHA256 != "", p.Longer != 0} {
		if has {
			forms++
		}
	}
	switch {
	case forms != 1:
		return errors.New("it must have exactly one of json, text, base64, parts, sha256, and longer")
	case p.Longer < 0 || p.Size < 0:
		return errors.New("it has a negative length")
	case p.SHA256 != "" && !hexSHA256.MatchString(p.SHA256):
		return errors.New("its sha256 is not 64 hexadecimal digits")
	}
	switch p.Layout {
	case "", layoutLine, layoutIndented, layoutIndentedLine:
	default:
		return fmt.Errorf("unknown layout %q", string(p.Layout))
	}
	for _, part := range p.Parts {
		if (part.Value == nil) != (part.SHA256 != "") {
			return fmt.Errorf("its part %q must have either a value or a sha256", part.Name)
		}
		if part.SHA256 != "" && !hexSHA256.MatchString(part.SHA256) {
			return fmt.Errorf("the sha256 of its part %q is not 64 hexadecimal digits", part.Name)
		}
	}
	return nil
}
