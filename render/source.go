package render

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// localFile is a file that ffmpeg can open.
type localFile struct {
	path      string // absolute
	temporary bool   // our copy, to be removed
	release   func() // of a copy that others share; may be nil
}

// local returns a source as a file: the source's own, a copy that the source keeps until remove, or a copy in TempDir, which remove
// deletes. An empty source is CodeBadMedia.
func (f FFmpeg) local(ctx context.Context, op string, src engine.Source) (localFile, error) {
	if ctx.Err() != nil {
		return localFile{}, canceled(ctx, op)
	}
	var file localFile
	var size int64
	var err error
	switch src := src.(type) {
	case engine.LocalSource:
		file, size, err = ownFile(op, src)
	case engine.HeldSource:
		file, size, err = heldFile(ctx, op, src)
	default:
		file, size, err = f.copyOf(ctx, op, src)
	}
	if err == nil && size == 0 {
		err = engine.Errorf(engine.CodeBadMedia, op, "The file is empty.")
	}
	if err != nil {
		file.remove()
		return localFile{}, err
	}
	return file, nil
}

func (l localFile) remove() {
	if l.temporary {
		_ = os.Remove(l.path)
	}
	if l.release != nil {
		l.release()
	}
}

func ownFile(op string, src engine.LocalSource) (localFile, int64, error) {
	path, err := src.Path()
	if err != nil {
		return localFile{}, 0, sourceError(op, err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return localFile{}, 0, sourceError(op, err)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return localFile{}, 0, sourceError(op, err)
	case !info.Mode().IsRegular(): // a pipe or a device would never end
		return localFile{}, 0, engine.Errorf(engine.CodeBadMedia, op, "The path is a folder or a device, not a media file.")
	}
	return localFile{path: path}, info.Size(), nil
}

func heldFile(ctx context.Context, op string, src engine.HeldSource) (localFile, int64, error) {
	path, release, err := src.Hold(ctx)
	if err != nil {
		return localFile{}, 0, copyError(ctx, op, err)
	}
	file := localFile{path: path, release: release}
	info, err := os.Stat(path)
	if err != nil {
		return file, 0, sourceError(op, err)
	}
	return file, info.Size(), nil
}

func (f FFmpeg) copyOf(ctx context.Context, op string, src engine.Source) (localFile, int64, error) {
	in, err := src.Open(ctx, 0, -1)
	if err != nil {
		return localFile{}, 0, copyError(ctx, op, err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.CreateTemp(f.TempDir, "soundstage-*.media")
	if err != nil {
		return localFile{}, 0, copyError(ctx, op, err)
	}
	file := localFile{temporary: true}
	if file.path, err = filepath.Abs(out.Name()); err != nil {
		file.path = out.Name()
	}
	n, err := io.Copy(out, untilDone{ctx, in})
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err == nil && n < src.Size() {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return file, 0, copyError(ctx, op, err)
	}
	return file, n, nil
}

// untilDone is a reader that ends with its context.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}

func copyError(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	return sourceError(op, err)
}

// sourceError returns an *engine.Error as it is, and wraps any other error in one.
func sourceError(op string, err error) error {
	var known *engine.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, os.ErrNotExist):
		return engine.Errorf(engine.CodeNotFound, op, "The media file was not found.").Because(err)
	case fault.NoSpace(err):
		return engine.Errorf(engine.CodeNoSpace, op, "The disk is full, so the media could not be copied.").Because(err)
	}
	return internal(op, err)
}
