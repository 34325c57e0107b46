package backend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Limits up to which a request's body is kept in full. Larger parts are kept as hashes.
const (
	maxKeptJSON  = 16 << 20
	maxKeptField = 1 << 20
	maxKeptParts = 1000
)

// exchangeRequestOf converts a request for recording, with its secrets. It reads all of body, but holds only what is kept.
func exchangeRequestOf(r *http.Request, body io.Reader) (ExchangeRequest, error) {
	s := ExchangeRequest{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Header: headerOf(r.Header, keptOfRequest)}
	if s.Method == "" {
		s.Method = http.MethodGet
	}
	if s.Path == "" {
		s.Path = "/"
	}
	if body == nil {
		return s, nil
	}
	var err error
	s.Body, err = payloadOf(r.Header.Get("Content-Type"), body)
	return s, err
}

// payloadOf converts a request's body for recording. It returns nil for an empty one.
func payloadOf(contentType string, body io.Reader) (*Payload, error) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		mediaType = contentType
	}
	if err == nil && strings.HasPrefix(mediaType, "multipart/") && params["boundary"] != "" {
		parts, err := partsOf(multipart.NewReader(body, params["boundary"]))
		if err != nil || len(parts) == 0 {
			return nil, err
		}
		return &Payload{Type: mediaType, Parts: parts}, nil
	}
	var kept bytes.Buffer
	hash := sha256.New()
	in := io.TeeReader(body, hash)
	if strings.HasSuffix(mediaType, "json") {
		if _, err := io.Copy(&kept, io.LimitReader(in, maxKeptJSON+1)); err != nil {
			return nil, err
		}
	}
	rest, err := io.Copy(io.Discard, in)
	if err != nil {
		return nil, err
	}
	size := int64(kept.Len()) + rest
	if size == 0 {
		return nil, nil
	}
	if b := kept.Bytes(); rest == 0 && utf8.Valid(b) && json.Valid(b) {
		return &Payload{Type: mediaType, JSON: compact(b)}, nil
	}
	return &Payload{Type: mediaType, Size: size, SHA256: hex.EncodeToString(hash.Sum(nil))}, nil
}

// partsOf converts the parts of a form, in order.
func partsOf(r *multipart.Reader) ([]Part, error) {
	var parts []Part
	for {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
		if len(parts) == maxKeptParts {
			return nil, errors.New("the form has more than 1000 parts")
		}
		// FileName would drop everything before the last slash.
		_, params, _ := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
		part := Part{Name: p.FormName(), File: params["filename"]}
		if part.File != "" {
			part.Type = p.Header.Get("Content-Type")
		}
		hash := sha256.New()
		in := io.TeeReader(p, hash)
		var value []byte
		if part.File == "" {
			if value, err = io.ReadAll(io.LimitReader(in, maxKeptField+1)); err != nil {
				return nil, err
			}
		}
		rest, err := io.Copy(io.Discard, in)
		if err != nil {
			return nil, err
		}
		if part.File == "" && len(value) <= maxKeptField && utf8.Valid(value) {
			text := string(value)
			part.Value = &text
		} else {
			part.Size, part.SHA256 = int64(len(value))+rest, hex.EncodeToString(hash.Sum(nil))
		}
		parts = append(parts, part)
	}
}

// keptOfRequest reports whether a header changes a request's meaning. Other headers are not kept, because they may be
// secret. Content-Type is in the Payload.
func keptOfRequest(name string) bool {
	return name == "Accept" || strings.HasSuffix(name, "-Version") || strings.HasSuffix(name, "-Beta")
}

// keptOfResponse reports whether adapters read a response header.
func keptOfResponse(name string) bool {
	return name == "Content-Type" || name == "Retry-After" || name == "Retry-After-Ms"
}

// headerOf returns the headers that keep selects, without secrets.
func headerOf(h http.Header, keep func(string) bool) map[string]string {
	kept := map[string]string{}
	for name := range h {
		if keep(http.CanonicalHeaderKey(name)) && !secretHeader(name) {
			kept[http.CanonicalHeaderKey(name)] = h.Get(name)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}
