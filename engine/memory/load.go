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

// Load returns a Store with the rows that Dump wrote. It reads r to its end, which must be that of the dump. CodeInvalid when it is
// no dump, a dump of a newer version, one that is cut off or one that was changed: the sentence says in which line, and what is
// wrong there. Other errors are those of r.
func Load(r io.Reader) (*Store, error) {
	l := &loader{r: bufio.NewReader(r), tx: newWriteTx(make(snapshot, schema.places))}
	if err := l.load(); err != nil {
		return nil, err
	}
	return storeOf(l.tx.now), nil
}

// loader is at work on a dump.
type loader struct {
	r     *bufio.Reader
	tx    *writeTx
	line  int // the number of the last line that was read
	rows  int
	ended bool

	version int // of the dump
}

// dumpLine is any line of a dump but the first.
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
		return l.invalid("there is more after the end of the rows")
	}
	return l.upgrade()
}

// read returns the next line, or nil at the end. A last line without a line feed is cut off, too, even if it is whole JSON.
func (l *loader) read() ([]byte, error) {
	line, err := l.r.ReadBytes('\n')
	switch atEnd := errors.Is(err, io.EOF); {
	case err == nil, atEnd && l.ended && len(line) > 0:
		l.line++
		return line, nil
	case atEnd && l.ended:
		return nil, nil
	case atEnd, errors.Is(err, io.ErrUnexpectedEOF):
		return nil, engine.Errorf(engine.CodeInvalid, "Load", `The rows are cut off after line %d: the last line, {"end":true,"rows":…}, is missing.`, l.line).
			WithHint("Write them again; the file was not written or copied to its end.")
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
		return l.invalid(fmt.Sprintf(`this is no file of rows, which begins with {"format":%q,"version":%d}`, dumpFormat, dumpVersion))
	}
	if head.Version > dumpVersion {
		return l.invalid(fmt.Sprintf("the rows are of version %d, and this program reads version %d", head.Version, dumpVersion)).
			WithHint("Use the version of Soundstage that wrote them, or a newer one.")
	}
	if head.Version < 1 {
		return l.invalid(fmt.Sprintf("there is no version %d of such files", head.Version))
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
		return l.invalid("it is not what a line should be: " + reason(err)).Because(err)
	}
	if d.End {
		if d.Table != "" || d.Row != nil {
			return l.invalid("it is a row and the end at once")
		}
		if d.Rows != l.rows {
			return l.invalid(fmt.Sprintf("it says that there are %d rows, but %d came before it", d.Rows, l.rows))
		}
		l.ended = true
		return nil
	}
	return l.row(d)
}

func (l *loader) row(d dumpLine) error {
	for _, k := range kinds {
		if k.table() != d.Table {
			continue
		}
		if !bytes.HasPrefix(d.Row, []byte("{")) {
			return l.invalid(fmt.Sprintf("row must be an object, one of table %s", d.Table))
		}
		before := k.count(&l.tx.readTx)
		if err := k.put(l.tx, d.Row, d.Bytes); err != nil {
			return l.invalid(fmt.Sprintf("the row is none of table %s: %s", d.Table, reason(err))).Because(err)
		}
		if k.count(&l.tx.readTx) == before {
			return l.invalid(fmt.Sprintf("a row of this id was in table %s already", d.Table))
		}
		l.rows++
		return nil
	}
	return l.invalid(fmt.Sprintf("there is no table %q", d.Table)).WithHint("The file was changed, or another program wrote it.")
}

// invalid says what is wrong with the line that was read last.
func (l *loader) invalid(what string) *engine.Error {
	return engine.Errorf(engine.CodeInvalid, "Load", "Line %d: %s.", l.line, what)
}

// strict parses one JSON value that has no member that v has no field for.
func strict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one value")
	}
	return nil
}

// reason says what is wrong with JSON, without the names of our types.
func reason(err error) string {
	var typed *json.UnmarshalTypeError
	var ours *engine.Error
	switch {
	case errors.As(err, &typed) && typed.Field != "":
		return fmt.Sprintf("%s can't be a JSON %s", typed.Field, typed.Value)
	case errors.As(err, &typed):
		return fmt.Sprintf("it can't be a JSON %s", typed.Value)
	case errors.As(err, &ours):
		return engine.Message(err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the JSON ends too early"
	}
	return err.Error()
}
