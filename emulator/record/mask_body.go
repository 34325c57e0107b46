package record

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// urlMembers are the members that hold a signed URL. Every parameter of such a URL is masked.
var urlMembers = map[string]bool{"upload_url": true, "asset_url": true}

// body returns a body without secrets, decompressed. most limits what decompression may yield.
func (m masker) body(c Captured, h http.Header, most int) Body {
	data, partial := c.Data, c.Partial
	if coding := strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding"))); coding != "" && coding != "identity" && len(data) > 0 {
		var ok bool
		if data, ok = decompress(data, coding, most); !ok {
			return Body{Bytes: c.Bytes, Partial: "the content coding " + m.text(coding) + " can't be read, so secrets can't be masked"}
		}
		if len(data) > most {
			data, partial = data[:most], "only the first bytes are recorded"
		}
	}
	if len(data) == 0 {
		return Body{Bytes: c.Bytes, Partial: partial}
	}
	if !utf8.Valid(trimCut(data, partial != "")) && isText(h) {
		return Body{Bytes: c.Bytes, Partial: "the text is not UTF-8, so secrets can't be masked"}
	}
	return m.masked(newBody(data, c.Bytes, partial), h)
}

// masked masks a body's text. In bytes that aren't text, only the request's own secrets can be found.
func (m masker) masked(b Body, h http.Header) Body {
	if b.Base64 != nil {
		for _, secret := range m.own {
			b.Base64 = bytes.ReplaceAll(b.Base64, []byte(secret), []byte(Mask))
		}
		return b
	}
	if kind, _, _ := mime.ParseMediaType(h.Get("Content-Type")); kind == "application/x-www-form-urlencoded" {
		b.Text = maskQuery(b.Text, false)
		return b
	}
	b.Text = m.members(m.text(b.Text))
	return b
}

// members masks the strings of JSON members whose names say that they are secret. It also works where the JSON is cut, and leaves other text.
func (m masker) members(s string) string {
	var out strings.Builder
	kept := 0 // end of what out has
	for at := strings.IndexByte(s, '"'); at >= 0 && at < len(s); {
		end := stringEnd(s, at)
		colon := skipSpace(s, end)
		if end > len(s) || colon >= len(s) || s[colon] != ':' {
			at = nextQuote(s, end)
			continue
		}
		name, value := s[at+1:end-1], skipSpace(s, colon+1)
		if value >= len(s) || s[value] != '"' {
			at = nextQuote(s, value)
			continue
		}
		end = min(stringEnd(s, value), len(s))
		content := strings.TrimSuffix(s[value+1:end], `"`)
		if masked := m.member(name, content); masked != content {
			out.WriteString(s[kept : value+1])
			out.WriteString(masked)
			kept = value + 1 + len(content)
		}
		at = nextQuote(s, end)
	}
	if kept == 0 {
		return s
	}
	out.WriteString(s[kept:])
	return out.String()
}

// member masks the value of a member if its name says that it is secret.
func (m masker) member(name, value string) string {
	switch {
	case value == "" || value == maskedSigningSecret:
		return value
	case urlMembers[name]:
		address, query, signed := strings.Cut(value, "?")
		if !signed {
			return value
		}
		return address + "?" + maskQuery(query, true)
	case m.secret(name):
		return Mask
	}
	return value
}

// secret remembers isSecretName for names that come again.
func (m masker) secret(name string) bool {
	known, ok := m.names[name]
	if !ok {
		if known = isSecretName(name); len(m.names) < 10_000 && m.names != nil {
			m.names[strings.Clone(name)] = known
		}
	}
	return known
}

// stringEnd returns the position after the JSON string that begins at a quote; more than the length if it has no end.
func stringEnd(s string, quote int) int {
	for i := quote + 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s) + 1
}

func skipSpace(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\r' || s[at] == '\t') {
		at++
	}
	return at
}

// nextQuote returns the position of the next quote, or -1.
func nextQuote(s string, from int) int {
	if from >= len(s) {
		return -1
	}
	if i := strings.IndexByte(s[from:], '"'); i >= 0 {
		return from + i
	}
	return -1
}

// trimCut returns data without a character that was cut at its end.
func trimCut(data []byte, cut bool) []byte {
	for i := 0; cut && i < utf8.UTFMax && len(data) > 0 && !utf8.Valid(data); i++ {
		data = data[:len(data)-1]
	}
	return data
}

// isText reports whether headers declare text.
func isText(h http.Header) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || strings.HasSuffix(kind, "xml") || kind == "application/x-www-form-urlencoded"
}

// decompress returns up to one byte more than most. Bytes that are cut yield what they contain.
func decompress(data []byte, coding string, most int) ([]byte, bool) {
	var r io.Reader
	var err error
	switch coding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(data))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(data))
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	plain, _ := io.ReadAll(io.LimitReader(r, int64(most)+1)) // an error means that the bytes are cut
	return plain, true
}
