package input

import (
	"strings"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// MaxText is the longest text of a prompt, a question or a description, in characters.
const MaxText = 10_000

// CheckText refuses, as CodeInvalid, texts that could not be stored or given to a model. Line breaks and tabs are fine.
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
