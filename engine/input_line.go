package engine

import (
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// maxTitle is the longest title, file name or name that is taken, in characters.
const maxTitle = 1000

// validText refuses names and titles that could not be shown or stored everywhere.
func validText(op, field, s string) error {
	switch {
	case !utf8.ValidString(s):
		return fault.Errorf(fault.CodeInvalid, op, "%s is not valid UTF-8.", field)
	case transcript.HasControl(s):
		return fault.Errorf(fault.CodeInvalid, op, "%s has control characters.", field)
	case utf8.RuneCountInString(s) > maxTitle:
		return fault.Errorf(fault.CodeInvalid, op, "%s is longer than %d characters.", field, maxTitle)
	}
	return nil
}
