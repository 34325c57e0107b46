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
	dumpVersion = 2 // upgrade says what the earlier ones lack
)

// dumpHead is the first line of a dump.
type dumpHead struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// dumpRow is a line of a dump. Bytes says that the strings of the row are not all text: in each of them, character n then stands
// for the byte n.
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

// Dump writes all rows of the latest version as lines of JSON: {"format":"soundstage-rows","version":2}, then
// {"table":"recordings","row":{…}} for each row, and {"end":true,"rows":N} at last. Equal rows give equal bytes: tables come in a
// fixed order, rows by id. Rows have all that the engine put there, hashes and secrets too. It neither waits for writers nor keeps
// them waiting. Errors are those of w.
func (s *Store) Dump(w io.Writer) error {
	tx := &readTx{tables: schema, now: *s.latest.Load()}
	out := bufio.NewWriter(w)
	if err := writeLine(out, dumpHead{dumpFormat, dumpVersion}); err != nil {
		return err
	}
	rows := 0
	for _, k := range kinds {
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

// writeRow writes a row that the caller does not need any more.
func writeRow(w *bufio.Writer, table string, row any) error {
	line, err := marshal(dumpRow{Table: table, Row: row})
	if err != nil {
		return err
	}
	if bytes.Contains(line, []byte(`\ufffd`)) { // so encoding/json writes what is no UTF-8
		return writeLine(w, dumpRow{Table: table, Bytes: true, Row: mapped(row, bytesToRunes)})
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

// marshal returns a line of JSON, with its line feed.
func marshal(v any) ([]byte, error) {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, &engine.Error{Code: engine.CodeInternal, Op: "Dump", Err: fmt.Errorf("memory: %w", err)}
	}
	return line.Bytes(), nil
}
