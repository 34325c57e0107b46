package backend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime/multipart"
	"net/textproto"
)

// Field is one text field of a Form.
type Field struct{ Name, Value string }

// File is the file in a Form.
type File struct {
	Field string // name of the field: "file"
	Name  string // file name: "audio.wav"
	Type  string // media type
	Size  int64
	Open  func() (io.ReadCloser, error)
}

// Form returns a multipart/form-data Body, fields first. It streams the file. The boundary is derived from the fields
// with 128 bits of a hash, so equal forms have equal bytes and a file can't contain the boundary by chance. Source: RFC
// 7578.
func Form(fields []Field, file File) (*Body, error) {
	hash := sha256.New()
	for _, f := range fields {
		_, _ = io.WriteString(hash, f.Name+"\x00"+f.Value+"\x00")
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary("soundstage-" + hex.EncodeToString(hash.Sum(nil)[:16])); err != nil {
		return nil, err
	}
	for _, f := range fields {
		if err := w.WriteField(f.Name, f.Value); err != nil {
			return nil, err
		}
	}
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", multipart.FileContentDisposition(file.Field, file.Name))
	head.Set("Content-Type", file.Type)
	if _, err := w.CreatePart(head); err != nil {
		return nil, err
	}
	front := bytes.Clone(b.Bytes())
	b.Reset()
	if err := w.Close(); err != nil {
		return nil, err
	}
	back := b.Bytes()
	return &Body{
		Type: w.FormDataContentType(), Size: int64(len(front)) + file.Size + int64(len(back)),
		Open: func() (io.ReadCloser, error) {
			in, err := file.Open()
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{io.MultiReader(bytes.NewReader(front), in, bytes.NewReader(back)), in}, nil
		},
	}, nil
}
