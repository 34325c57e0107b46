package input

import (
	"slices"
	"strings"
)

// FieldErrors are error messages by the name of the field: the Err of a CodeInvalid of Engine.CreateTranscript.
type FieldErrors map[string][]string

// Error lists the fields in alphabetical order, each with its messages.
func (f FieldErrors) Error() string {
	names := make([]string, 0, len(f))
	for name, messages := range f {
		names = append(names, name+" "+strings.Join(messages, ", "))
	}
	slices.Sort(names)
	return strings.Join(names, "; ")
}

// The messages of FieldErrors.
const (
	MsgBlank   = "can't be blank"
	MsgURL     = "must be a valid url"
	MsgInvalid = "is invalid"
)
