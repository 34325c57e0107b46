package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	dumpFormat  = "soundstage-rows"
	dumpVersion = 4 // upgrade converts earlier versions
)

// dumpHead is the first line of a dump.
type dumpHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// dumpRow is a line of a dump. Bytes is set if a string of the row is not valid UTF-8. Each character of each string then
// stands for one byte: U+0000 to U+00FF.
type dumpRow struct {
	Table string `json:"table"`
	Bytes bool   `json:"bytes,omitempty"`
	Row   any    `json:"row"`
}

// dumpEnd is the last line of a dump.
type dumpEnd struct {
	End  bool `json:"end"`
	Rows int  `json:"rows"`
}

// Dump writes all rows of the latest version as lines of JSON: {"format":"soundstage-rows","version":4}, then
// {"table":"recordings","row":{…}} for each row, then {"end":true,"rows":N}. Equal rows give equal bytes: tables have a fixed
// order, and rows are sorted by id. The dump contains everything, including hashes and secrets. Dump neither waits for
// Updates nor blocks them. It returns the errors of w.
func (s *Store) Dump(w io.Writer) error {
	tx := &readTx{tables: schema, current: *s.latest.Load()}
	out := bufio.NewWriter(w)
	if err := writeLine(out, dumpHead{dumpFormat, dumpVersion}); err != nil {
		return err
	}
	rows := 0
	for _, k := range dumpCodecs {
		err := k.each(tx, func(row any) error {
			rows++
			return writeRow(out, k.table(), row)
		})
		if err != nil {
			return err
		}
	}
	if err := writeLine(out, dumpEnd{true, rows}); err != nil {
		return err
	}
	return out.Flush()
}

// writeRow writes a row and may modify it.
func writeRow(w *bufio.Writer, table string, row any) error {
	line, err := marshal(dumpRow{Table: table, Row: row})
	if err != nil {
		return err
	}
	if bytes.Contains(line, []byte(`\ufffd`)) { // encoding/json replaces invalid UTF-8 by U+FFFD
		return writeLine(w, dumpRow{Table: table, Bytes: true, Row: replaceStrings(row, bytesToRunes)})
	}
	_, err = w.Write(line)
	return err
}

func writeLine(w *bufio.Writer, v any) error {
	line, err := marshal(v)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// marshal returns a value as a line of JSON with its line feed.
func marshal(v any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, &engine.Error{Code: engine.CodeInternal, Op: "Dump", Err: fmt.Errorf("memory: %w", err)}
	}
	return line.Bytes(), nil
}
