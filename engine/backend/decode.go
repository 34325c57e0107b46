package backend

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Decode reads one JSON value. Servers written in Python may write NaN, Infinity and -Infinity, which JSON doesn't have (RFC 8259, section
// 6); they are read as null. Bytes that are no UTF-8 become U+FFFD.
func Decode(b []byte, v any) error {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	err := json.Unmarshal(b, v)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && beginsNonNumber(b, wrong.Offset) {
		if plain, changed := withoutNaN(b); changed {
			return json.Unmarshal(plain, v)
		}
	}
	return err
}

// withoutNaN replaces NaN and infinities outside of strings by null.
func withoutNaN(b []byte) (out []byte, changed bool) {
	out = make([]byte, 0, len(b))
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case quoted && b[i] == '\\' && i+1 < len(b):
			out = append(out, b[i])
			i++
		case b[i] == '"':
			quoted = !quoted
		case !quoted:
			if n := nonNumber(b[i:]); n > 0 {
				out = append(out, "null"...)
				changed = true
				i += n - 1
				continue
			}
		}
		out = append(out, b[i])
	}
	return out, changed
}

// beginsNonNumber reports whether what is wrong behind so many bytes may be a NaN or an infinity, so that garbage isn't looked through.
func beginsNonNumber(b []byte, offset int64) bool {
	return offset >= 1 && offset <= int64(len(b)) && (b[offset-1] == 'N' || b[offset-1] == 'I')
}

// nonNumber returns how long what b begins with is, if that is no number but is written as one.
func nonNumber(b []byte) int {
	for _, word := range []string{"NaN", "-NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return len(word)
		}
	}
	return 0
}
