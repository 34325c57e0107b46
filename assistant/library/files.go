package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
)

// allowed returns the real path of a file in one of the allowed folders. Errors: CodeForbidden (it is outside, or the way to it leads
// outside), CodeNotFound. Of files outside, it says nothing, not even whether they exist.
func (t *tools) allowed(path string) (string, error) {
	real, err := t.inRoots(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return "", cantRead(path, err)
	case info.IsDir():
		return "", engine.Errorf(engine.CodeInvalid, "files", "%q is a folder.", path).WithHint("Add its files one by one. list_files lists them.")
	case !info.Mode().IsRegular():
		return "", engine.Errorf(engine.CodeInvalid, "files", "%q is not a regular file.", path)
	}
	return real, nil
}

// inRoots returns the real path of a file or folder in one of the allowed folders.
func (t *tools) inRoots(path string) (string, error) {
	if len(t.Roots) == 0 {
		return "", engine.Errorf(engine.CodeForbidden, "files", "This server may read no files.").
			WithHint("Ask the user to start soundstage mcp with --root FOLDER: the folder of the media.")
	}
	if strings.ContainsRune(path, 0) {
		return "", engine.Errorf(engine.CodeInvalid, "files", "A path has no NUL characters (got %.100q).", path)
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(t.Roots[0], path)
	}
	var real []string // the folders without symbolic links
	for _, root := range t.Roots {
		if target, err := filepath.EvalSymlinks(root); err == nil {
			real = append(real, target)
		}
	}
	if within(full, t.Roots) || within(full, real) {
		target, err := realPath(full, real)
		if err != nil {
			return "", cantRead(path, err)
		}
		if within(target, real) {
			return target, nil
		}
	}
	return "", engine.Errorf(engine.CodeForbidden, "files", "%.200q is outside the folders that this server may read.", path).
		WithHint("They are " + strings.Join(t.Roots, ", ") + ". The user can allow others with --root.")
}

// realPath returns the path of a file without symbolic links. Results show names without invisible characters, so a name that doesn't exist
// stands for the only one in its folder that looks like it. It reads no other folders than those given.
func realPath(path string, folders []string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(path) == path {
		return real, err
	}
	parent, parentErr := realPath(filepath.Dir(path), folders)
	if parentErr != nil || !within(parent, folders) {
		return "", err
	}
	entries, _ := os.ReadDir(parent)
	var alike []string
	for _, e := range entries {
		if assistant.Visible(e.Name()) == filepath.Base(path) {
			alike = append(alike, e.Name())
		}
	}
	if len(alike) != 1 {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Join(parent, alike[0]))
}

// within reports whether a path is in one of the folders, or is one of them.
func within(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		inside, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(inside)
	})
}

func cantRead(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return engine.Errorf(engine.CodeNotFound, "files", "There is no file %.200q.", path).WithHint("list_files lists the files.")
	}
	return engine.Errorf(engine.CodeUnavailable, "files", "%.200q can't be read.", path).WithHint("Check its permissions.").Because(err)
}

type filesIn struct {
	Folder string `json:"folder,omitempty" jsonschema:"folder to list; default the first of the allowed folders"`
	Limit  int    `json:"limit,omitempty" jsonschema:"most entries to return"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the page before"`
}

type filesOut struct {
	assistant.Untrusted
	Folders    []string `json:"allowed_folders" jsonschema:"folders from which files may be added"`
	Entries    []file   `json:"entries"`
	NextCursor string   `json:"next_cursor,omitempty"`
	More       string   `json:"more,omitempty" jsonschema:"how to get the rest"`
}

type file struct {
	Path   string `json:"path"`
	Folder bool   `json:"folder"`
	Bytes  int64  `json:"bytes"`
}

func (t *tools) files(_ context.Context, _ assistant.Call, in filesIn) (*filesOut, error) {
	folder := in.Folder
	if folder == "" {
		folder = "."
	}
	real, err := t.inRoots(folder)
	if err != nil {
		return nil, err
	}
	after, err := url.QueryUnescape(in.Cursor) // escaped, because names can have bytes that results don't
	if err != nil {
		return nil, wrongCursor(in.Cursor)
	}
	entries, err := os.ReadDir(real) // sorted by name
	if err != nil {
		return nil, cantRead(folder, err)
	}
	out := &filesOut{Folders: t.Roots, Entries: []file{}}
	last := ""
	for _, e := range entries {
		if e.Name() <= after || strings.HasPrefix(e.Name(), ".") || !e.IsDir() && media.TypeOf(nil, e.Name()) == "application/octet-stream" {
			continue
		}
		if len(out.Entries) == in.Limit {
			out.NextCursor = url.QueryEscape(last)
			out.More = "There are more files. Call list_files again with next_cursor as cursor."
			break
		}
		f := file{Path: filepath.Join(real, e.Name()), Folder: e.IsDir()}
		if info, err := e.Info(); err == nil && !f.Folder {
			f.Bytes = info.Size()
		}
		out.Entries, last = append(out.Entries, f), e.Name()
	}
	return out, nil
}

// checkFile returns CodeInvalid for a file name that isn't one, and CodeUnavailable if no files may be written.
func (t *tools) checkFile(name string) error {
	const op = "files"
	switch {
	case t.Output == "":
		return engine.Errorf(engine.CodeUnavailable, op, "This server writes no files.").WithHint("Ask the user to start soundstage mcp with --output FOLDER.")
	case name == "":
	case strings.ContainsAny(name, `/\:*?"<>|`) || strings.HasPrefix(name, ".") || strings.TrimSpace(name) != name || assistant.Visible(name) != name ||
		strings.ContainsAny(name, "\n\t") || !filepath.IsLocal(name):
		return engine.Errorf(engine.CodeInvalid, op, "%.100q can't be the name of a file.", name).
			WithHint(`Use a name without a folder, without / \ : * ? " < > |, and without a dot at the start.`)
	}
	return nil
}

// output is a new file in the output folder.
type output struct {
	*os.File
	root *os.Root
	name string
	path string
}

// sameNames is how many files of one title there may be.
const sameNames = 1000

// create creates a file in the output folder; the folder's links don't lead out of it. A name that the assistant chose must be free. Others
// get a number. Errors: CodeConflict, CodeUnavailable.
func (t *tools) create(stem, extension string, chosen bool) (*output, error) {
	if err := os.MkdirAll(t.Output, 0o755); err != nil {
		return nil, t.cantWrite(err)
	}
	root, err := os.OpenRoot(t.Output)
	if err != nil {
		return nil, t.cantWrite(err)
	}
	if chosen && strings.HasSuffix(strings.ToLower(stem), extension) {
		stem = stem[:len(stem)-len(extension)]
	}
	for i := 1; i <= sameNames; i++ {
		name := stem + extension
		if i > 1 {
			name = stem + "-" + strconv.Itoa(i) + extension
		}
		f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			return &output{f, root, name, filepath.Join(t.Output, name)}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			_ = root.Close()
			return nil, t.cantWrite(err)
		}
		if chosen {
			break
		}
	}
	_ = root.Close()
	return nil, engine.Errorf(engine.CodeConflict, "files", "The file %q exists.", stem+extension).WithHint("Choose another name. Files are never replaced.")
}

func (t *tools) cantWrite(err error) error {
	return engine.Errorf(engine.CodeUnavailable, "files", "Files can't be written to %s.", t.Output).
		WithHint("Ask the user to check the folder, its permissions, and the space on the disk.").Because(err)
}

// finish closes a file and returns its size. After an error, it removes the file.
func (w *output) finish(err error) (size int64, _ error) {
	defer func() { _ = w.root.Close() }()
	if err == nil {
		var info fs.FileInfo
		if info, err = w.Stat(); err == nil {
			size = info.Size()
		}
	}
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = w.root.Remove(w.name)
		if engine.CodeOf(err) == engine.CodeInternal {
			err = engine.Errorf(engine.CodeUnavailable, "files", "The file %s can't be written.", w.path).WithHint("Ask the user to check the space on the disk.").Because(err)
		}
	}
	return size, err
}

// maxStem is how many characters of a title a file's name has.
const maxStem = 80

// Stem returns a name for files of a recording, without the extension: its title without what file systems don't allow, and its number.
func Stem(title string, number int) string {
	title = strings.Map(func(c rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, c) {
			return '-'
		}
		return c
	}, strings.ToValidUTF8(assistant.Visible(title), "\uFFFD"))
	title = strings.TrimLeft(strings.Join(strings.Fields(title), " "), ".-")
	if letters := []rune(title); len(letters) > maxStem {
		title = strings.TrimSpace(string(letters[:maxStem]))
	}
	if title == "" {
		title = "recording"
	}
	return fmt.Sprintf("%s-%d", title, number)
}
