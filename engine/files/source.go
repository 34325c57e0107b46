package files

import (
	"context"
	"io"
	"os"

	"github.com/soundstage-dev/soundstage/engine"
)

// Source is an engine.Source for the file at a path, for media outside Blobs.
type Source string

var (
	_ engine.Source      = Source("")
	_ engine.LocalSource = Source("")
)

// Path returns the path.
func (s Source) Path() (string, error) { return string(s), nil }

// Size returns the file's size in bytes, or 0 on error.
func (s Source) Size() int64 {
	info, err := os.Stat(string(s))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Open reads n bytes from off; n < 0 reads to the end.
func (s Source) Open(_ context.Context, off, n int64) (io.ReadCloser, error) {
	f, err := os.Open(string(s))
	if err != nil {
		return nil, engine.Errorf(engine.CodeNotFound, "Open", "The file can't be opened.").Because(err)
	}
	if _, err := f.Seek(off, io.SeekStart); err != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "Open", "The offset is outside the file.").Because(err)
	}
	if n < 0 {
		return f, nil
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(f, n), f}, nil
}
