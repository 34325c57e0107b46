package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// maxLine is the longest line of exchanges.jsonl that is read, 1 GiB.
const maxLine = 1 << 30

// Folder is a folder of recorded exchanges.
type Folder struct {
	Manifest
	dir string
}

// Open opens a folder. CodeNotFound when it has no recording, CodeInvalid when the recording has another version or is damaged,
// CodeUnavailable when it can't be read.
func Open(dir string) (*Folder, error) {
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	return &Folder{Manifest: m, dir: dir}, nil
}

// Each calls yield with each exchange, in order, and stops at its error. A last line without an end is an exchange whose recording was
// interrupted; cut reports that there is one, and it is left out. Any other damage is CodeInvalid with the number of the line.
func (f *Folder) Each(yield func(*Exchange) error) (cut bool, err error) {
	path := filepath.Join(f.dir, exchangesFile)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, engine.Errorf(engine.CodeUnavailable, op, "The file %s can't be read.", path).WithHint("Check its permissions.").Because(err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, engine.Errorf(engine.CodeInvalid, op, "%s is not a regular file.", path).WithHint("Record again in another folder.").Because(err)
	}
	r := bufio.NewReaderSize(file, 1<<16)
	last := int64(0)
	for line := 1; ; line++ {
		raw, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF):
			return len(raw) > 0, nil
		case errors.Is(err, errTooLong):
			return false, damaged(path, line, err)
		case err != nil:
			return false, engine.Errorf(engine.CodeUnavailable, op, "The file %s can't be read.", path).Because(err)
		}
		x, err := parse(raw, last)
		if err != nil {
			return false, damaged(path, line, err)
		}
		last = x.Number
		if err := yield(x); err != nil {
			return false, err
		}
	}
}

// All returns every exchange, in order. See Each.
func (f *Folder) All() (all []*Exchange, cut bool, err error) {
	cut, err = f.Each(func(x *Exchange) error {
		all = append(all, x)
		return nil
	})
	return all, cut, err
}

var errTooLong = errors.New("it is too long")

// readLine returns the next line without its end. io.EOF comes with the bytes after the last end.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errTooLong
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// parse parses a line. last is the number of the exchange before it.
func parse(raw []byte, last int64) (*Exchange, error) {
	x := &Exchange{}
	if err := json.Unmarshal(raw, x); err != nil {
		return nil, err
	}
	switch {
	case x.Number <= last:
		return nil, fmt.Errorf("its number is %d, after %d", x.Number, last)
	case x.Method == "" || !strings.HasPrefix(x.Path, "/"):
		return nil, errors.New("it has no method or no path")
	case x.Status != 0 && (x.Status < 100 || x.Status > 999):
		return nil, fmt.Errorf("its status is %d", x.Status)
	}
	return x, nil
}

func damaged(path string, line int, why error) error {
	return engine.Errorf(engine.CodeInvalid, op, "Line %d of %s is damaged: %v.", line, path, why).
		WithHint("Delete that line, or record again in another folder.").Because(why)
}
