package answer

import "strings"

// Tidy returns a model's text without what no text should have: broken characters, control characters but line breaks and tabs,
// and blanks around it.
func Tidy(s string) string {
	return strings.TrimSpace(strings.Map(dropControlButLines, strings.ToValidUTF8(s, "\uFFFD")))
}

// dropControlButLines keeps line breaks and tabs of all control characters.
func dropControlButLines(r rune) rune {
	if r == '\n' || r == '\t' {
		return r
	}
	if r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\uFEFF' {
		return -1
	}
	return r
}
