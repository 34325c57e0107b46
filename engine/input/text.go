package input

import (
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// MaxText is the longest prompt, question, or description, in characters.
const MaxText = 10_000

// CheckText returns CodeInvalid for a text with invalid UTF-8, control characters other than line breaks and tabs, or more than
// MaxText characters.
func CheckText(op, field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return fault.Errorf(fault.CodeInvalid, op, "%s is not valid UTF-8.", field)
	case transcript.HasControl(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(s)):
		return fault.Errorf(fault.CodeInvalid, op, "%s has control characters.", field)
	case utf8.RuneCountInString(s) > MaxText:
		return fault.Errorf(fault.CodeInvalid, op, "%s is longer than %d characters.", field, MaxText)
	}
	return nil
}

// CutText returns the start of foreign bytes as valid UTF-8 of at most max bytes. Invalid bytes become U+FFFD.
func CutText(b []byte, max int) string {
	s := strings.ToValidUTF8(string(b[:min(len(b), max)]), "\uFFFD")
	if len(s) > max {
		s = strings.ToValidUTF8(s[:max], "")
	}
	return s
}
