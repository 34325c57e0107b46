package backend

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Decode decodes one JSON value. Python servers may write NaN, Infinity, and -Infinity, which JSON doesn't allow (RFC
// 8259, section 6); Decode reads them as null. Invalid UTF-8 becomes U+FFFD.
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

// withoutNaN replaces NaN and infinities outside strings with null.
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

// beginsNonNumber reports whether a syntax error at offset may be a NaN or an infinity. It avoids scanning other garbage.
func beginsNonNumber(b []byte, offset int64) bool {
	return offset >= 1 && offset <= int64(len(b)) && (b[offset-1] == 'N' || b[offset-1] == 'I')
}

// nonNumber returns the length of the NaN or infinity at the start of b, or 0.
func nonNumber(b []byte) int {
	for _, word := range []string{"NaN", "-NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return len(word)
		}
	}
	return 0
}
