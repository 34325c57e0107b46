package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
)

// Load returns a Store with the rows that Dump wrote. It reads r to its end. CodeInvalid if r is not a dump, has a newer
// version, is truncated, or was damaged; the message has the line and what is wrong. Other errors are those of r.
func Load(r io.Reader) (*Store, error) {
	l := &loader{r: bufio.NewReader(r), tx: newWriteTx(make(snapshot, schema.places))}
	if err := l.load(); err != nil {
		return nil, err
	}
	return storeOf(l.tx.current), nil
}

// loader reads a dump into a transaction.
type loader struct {
	r     *bufio.Reader
	tx    *writeTx
	line  int // number of the last line read
	rows  int
	ended bool

	version int // of the dump
}

// dumpLine is any line of a dump after the first.
type dumpLine struct {
	Table string          `json:"table"`
	Bytes bool            `json:"bytes"`
	Row   json.RawMessage `json:"row"`
	End   bool            `json:"end"`
	Rows  int             `json:"rows"`
}

func (l *loader) load() error {
	if err := l.head(); err != nil {
		return err
	}
	for !l.ended {
		if err := l.next(); err != nil {
			return err
		}
	}
	switch more, err := l.read(); {
	case err != nil:
		return err
	case more != nil:
		return l.invalid("unexpected data after the end of the dump")
	}
	return l.upgrade()
}

// read returns the next line, or nil at the end. A row line without a line feed counts as truncated, even if its JSON is
// complete.
func (l *loader) read() ([]byte, error) {
	line, err := l.r.ReadBytes('\n')
	switch atEnd := errors.Is(err, io.EOF); {
	case err == nil, atEnd && l.ended && len(line) > 0:
		l.line++
		return line, nil
	case atEnd && l.ended:
		return nil, nil
	case atEnd, errors.Is(err, io.ErrUnexpectedEOF):
		return nil, engine.Errorf(engine.CodeInvalid, "Load", `The dump is truncated after line %d: the last line, {"end":true,"rows":…}, is missing.`, l.line).
			WithHint("Write the dump again; the file was not written or copied completely.")
	}
	return nil, err
}

func (l *loader) head() error {
	line, err := l.read()
	if err != nil {
		return err
	}
	var head dumpHead
	if err := json.Unmarshal(line, &head); err != nil || head.Format != dumpFormat {
		return l.invalid(fmt.Sprintf(`the file is not a Soundstage dump, which starts with {"format":%q,"version":%d}`, dumpFormat, dumpVersion))
	}
	if head.Version > dumpVersion {
		return l.invalid(fmt.Sprintf("the dump has version %d, but this program reads only up to version %d", head.Version, dumpVersion)).
			WithHint("Use the version of Soundstage that wrote it, or a newer one.")
	}
	if head.Version < 1 {
		return l.invalid(fmt.Sprintf("unknown dump version %d", head.Version))
	}
	l.version = head.Version
	return nil
}

func (l *loader) next() error {
	line, err := l.read()
	if err != nil {
		return err
	}
	var d dumpLine
	if err := strict(line, &d); err != nil {
		return l.invalid("invalid line: " + reason(err)).Because(err)
	}
	if d.End {
		if d.Table != "" || d.Row != nil {
			return l.invalid("the line is both a row and the end")
		}
		if d.Rows != l.rows {
			return l.invalid(fmt.Sprintf("the end announces %d rows, but the dump has %d", d.Rows, l.rows))
		}
		l.ended = true
		return nil
	}
	return l.row(d)
}

func (l *loader) row(d dumpLine) error {
	for _, k := range dumpCodecs {
		if k.table() != d.Table {
			continue
		}
		if !bytes.HasPrefix(d.Row, []byte("{")) {
			return l.invalid(fmt.Sprintf("row must be an object of table %s", d.Table))
		}
		before := k.count(&l.tx.readTx)
		if err := k.put(l.tx, d.Row, d.Bytes); err != nil {
			return l.invalid(fmt.Sprintf("invalid row of table %s: %s", d.Table, reason(err))).Because(err)
		}
		if k.count(&l.tx.readTx) == before {
			return l.invalid(fmt.Sprintf("duplicate id in table %s", d.Table))
		}
		l.rows++
		return nil
	}
	return l.invalid(fmt.Sprintf("unknown table %q", d.Table)).WithHint("The file is damaged, or another program wrote it.")
}

// invalid returns an error about the last line read.
func (l *loader) invalid(what string) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "Load", "Line %d: %s.", l.line, what)
}

// strict parses exactly one JSON value into v and rejects members without a field in v.
func strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// reason describes a JSON error without the names of Go types.
func reason(err error) string {
	var typed *json.UnmarshalTypeError
	var ours *engine.Error
	switch {
	case errors.As(err, &typed) && typed.Field != "":
		return fmt.Sprintf("%s must not be a JSON %s", typed.Field, typed.Value)
	case errors.As(err, &typed):
		return fmt.Sprintf("it must not be a JSON %s", typed.Value)
	case errors.As(err, &ours):
		return engine.Message(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "unexpected end of JSON"
	}
	return err.Error()
}
