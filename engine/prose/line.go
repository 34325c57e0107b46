package prose

import (
	"strings"
	"unicode"
)

// Line returns an untrusted text as one line: valid UTF-8 without control characters, with runs of white space replaced by one space.
// No-break spaces stay.
func Line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f':
			return ' '
		case unicode.IsControl(r) || r == '\uFEFF':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}
