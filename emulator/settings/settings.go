package settings

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Setting is the value of one flag in a config file.
type Setting struct {
	Name   string
	Line   int // line of the name, from 1
	List   bool
	Values []Value // a list has any number of values, a scalar exactly one
}

// Value is a string, a number, or a boolean.
type Value struct {
	Text string // as written in the file, without quotes
	Line int    // from 1
	Kind Kind
}

// Kind is the type of a Value, with its article: errors read "this is a string".
type Kind string

const (
	Text   Kind = "a string"
	Number Kind = "a number"
	Bool   Kind = "a boolean"
)

const op = "settings"

// maxFile is the largest size of a config file, in bytes.
const maxFile = 64 << 10

// Load reads and parses a config file (see Parse). Errors have CodeInvalid, also when the file can't be read.
func Load(path string) ([]Setting, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, readError(path, err)
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, readError(path, err)
	}
	return Parse(path, raw)
}

// Errorf returns an error about a line of a config file: CodeInvalid, prefixed with the path and the line. Line 0 means the whole file.
func Errorf(path string, line int, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, "%s:%d: %s", path, cmp.Or(line, 1), fmt.Sprintf(format, args...))
}

func readError(path string, err error) error {
	return engine.Errorf(engine.CodeInvalid, op, "The config file %s can't be read.", path).
		WithHint(fmt.Sprintf("Check the path and its permissions: %s.", fault.Reason(err))).Because(err)
}
