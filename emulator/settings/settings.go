package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
)

// Setting is what a file says of one flag.
type Setting struct {
	Name   string
	Line   int // of the name, from 1
	List   bool
	Values []Value // of a list, any number; else one
}

// Value is a text, a number, true or false.
type Value struct {
	Text string // as it is written, without quotes
	Line int    // from 1
	Kind Kind
}

// Kind is what a Value is.
type Kind string

const (
	Text   Kind = "a text"
	Number Kind = "a number"
	Bool   Kind = "true or false"
)

const op = "settings"

// maxFile is how many bytes a file may have.
const maxFile = 64 << 10

// Load reads a file, as Parse does. CodeInvalid.
func Load(path string) ([]Setting, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return Parse(path, raw)
}

// Wrong is the error of what a file says at a line, 0 for the whole of it: CodeInvalid, with the file and the line in front.
func Wrong(path string, line int, format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, op, "%s:%d: %s", path, cmp.Or(line, 1), fmt.Sprintf(format, args...))
}

func unreadable(path string, err error) error {
	why := err
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		why = at.Err // without the path, which stands in the sentence already
	}
	return engine.Errorf(engine.CodeInvalid, op, "The config file %s can't be read.", path).
		WithHint(fmt.Sprintf("Check the path and its permissions: %v.", why)).Because(err)
}
