package backend

import (
	"bytes"
	"encoding/json"
	"io"
)

// Body is what a request sends. It can be read any number of times, because a request may be sent anew.
type Body struct {
	Type string // media type
	Size int64  // bytes
	Open func() (io.ReadCloser, error)
}

// Bytes is a Body in memory.
func Bytes(mediaType string, b []byte) *Body {
	return &Body{Type: mediaType, Size: int64(len(b)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b)), nil
	}}
}

// JSON is a Body of a value that json.Marshal takes; characters of HTML stay as they are.
func JSON(v any) (*Body, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return Bytes("application/json", bytes.TrimRight(b.Bytes(), "\n")), nil
}
