package answer

import "strings"

// Tidy returns a model's text as valid UTF-8 without surrounding blanks and without control characters other than line breaks and
// tabs.
func Tidy(s string) string {
	return strings.TrimSpace(strings.Map(dropControlButLines, strings.ToValidUTF8(s, "\uFFFD")))
}

// dropControlButLines removes control characters other than line breaks and tabs.
func dropControlButLines(r rune) rune {
	if r == '\n' || r == '\t' {
		return r
	}
	if r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\uFEFF' {
		return -1
	}
	return r
}
