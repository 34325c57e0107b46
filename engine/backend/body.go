package backend

import (
	"bytes"
	"encoding/json"
	"io"
)

// Body is the body of a request. It can be opened repeatedly, because a request may be sent again.
type Body struct {
	Type string // media type
	Size int64  // bytes
	Open func() (io.ReadCloser, error)
}

// Bytes returns a Body in memory.
func Bytes(mediaType string, b []byte) *Body {
	return &Body{Type: mediaType, Size: int64(len(b)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b)), nil
	}}
}

// JSON returns a Body with the JSON of v. It doesn't escape HTML characters.
func JSON(v any) (*Body, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return Bytes("application/json", bytes.TrimRight(b.Bytes(), "\n")), nil
}
