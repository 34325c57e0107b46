package engine

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/input"
)

// NewFile describes media to add. Every field has a useful zero value.
type NewFile struct {
	NewRecording        // settings and tags; Title is by default the file's name without its extension; ObjectID must be ""
	Name         string // of the file; default that of the path or of the fs.File
	MaxSize      int64  // bytes; default and at most MaxUploadSize
}

// AddFile adds a recording from a file of this machine. It stores a copy of the file and queues the transcription, like an upload and
// CreateRecording together. If the space has a recording with the same external id, AddFile returns that one and reads nothing, even if the
// file is gone. Errors: CodeNotFound (the file or the space), CodeInvalid (the settings, a folder), CodeConflict (the space is inactive, the file changed while
// it was read), CodeTooLarge, CodeStorageLimit, CodeNoSpace, CodeUnprocessable (the file is empty), CodeUnavailable.
func (e *Engine) AddFile(ctx context.Context, c Caller, name string, n NewFile) (Recording, error) {
	const op = "AddFile"
	f, err := os.Open(name)
	if err != nil {
		n.SpaceID = SpaceID(cmp.Or(string(n.SpaceID), string(c.DefaultSpaceID)))
		if first, found, _ := (&addition{e: e, caller: c, want: n}).known(ctx); found {
			return first, nil
		}
		return Recording{}, fileError(op, name, err)
	}
	defer func() { _ = f.Close() }()
	n.Name = cmp.Or(n.Name, input.FileName(name))
	r, err := e.AddReader(ctx, c, f, n)
	return r, wrap(op, err)
}

func fileError(op, name string, err error) error {
	code := CodeInvalid
	if errors.Is(err, fs.ErrNotExist) {
		code = CodeNotFound
	}
	return Errorf(code, op, "The file %q can't be read.", name).Because(err)
}

// AddReader is AddFile for media from anywhere: an fs.File, the body of a request, a pipe. The size need not be known. If r is an fs.File,
// its name is the default of n.Name. AddReader reads r to its end, or one byte beyond the limit of its size; it doesn't close r. A Read
// that blocks isn't interrupted by ctx.
func (e *Engine) AddReader(ctx context.Context, c Caller, r io.Reader, n NewFile) (Recording, error) {
	const op = "AddReader"
	a, err := e.newAddition(op, c, r, n)
	if err != nil {
		return Recording{}, err
	}
	first, found, err := a.begin(ctx)
	if err != nil || found {
		return first, wrap(op, err)
	}
	return a.finish(ctx, a.receive(ctx))
}

// titleOf returns the title for a file name: the name without its extension.
func titleOf(name string) string { return cmp.Or(input.FileTitle(withoutExtension(name)), "Recording") }

// withoutExtension returns a file name without its extension, unless nothing else would be left.
func withoutExtension(name string) string {
	return cmp.Or(strings.TrimSuffix(name, path.Ext(name)), name)
}

// AddURL adds a recording from a URL: CreateImport with the URL as an argument, and BareTitle. WaitImport waits for the recording. If the
// space has a recording with the same external id that wasn't imported, the result has its RecordingID and no ID.
func (e *Engine) AddURL(ctx context.Context, c Caller, url string, n NewImport) (Import, error) {
	n.URL, n.BareTitle = url, true
	i, err := e.CreateImport(ctx, c, n)
	return i, wrap("AddURL", err)
}
