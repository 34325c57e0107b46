package input

import (
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// MaxLine is the longest title, file name, or name, in characters.
const MaxLine = 1000

// CheckLine returns CodeInvalid for a name or title with invalid UTF-8, control characters, or more than MaxLine characters.
func CheckLine(op, field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return fault.Errorf(fault.CodeInvalid, op, "%s is not valid UTF-8.", field)
	case transcript.HasControl(s):
		return fault.Errorf(fault.CodeInvalid, op, "%s has control characters.", field)
	case utf8.RuneCountInString(s) > MaxLine:
		return fault.Errorf(fault.CodeInvalid, op, "%s is longer than %d characters.", field, MaxLine)
	}
	return nil
}
