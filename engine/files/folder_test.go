package files_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

func open(t *testing.T, dir string, o files.Options) *files.Blobs {
	t.Helper()
	b, err := files.New(dir, o)
	require.NoError(t, err)
	return b
}

func store(t *testing.T, b *files.Blobs, key, content string) {
	t.Helper()
	w, err := b.Create(t.Context(), key, engine.BlobMeta{ContentType: "text/plain"})
	require.NoError(t, err)
	_, err = io.WriteString(w, content)
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
}

func load(t *testing.T, b *files.Blobs, key string) string {
	t.Helper()
	r, err := b.Open(t.Context(), key, 0, -1)
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return string(content)
}

func requireCode(t *testing.T, want engine.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, engine.CodeOf(err), "%v", err)
}

// tree returns the files and folders below dir, with "@data" for the version of data files.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if entry.IsDir() {
			name += "/"
		} else if blob, version, ok := strings.Cut(name, "@"); ok && version != "meta" {
			name = blob + "@data" + filepath.Ext(version)
		}
		names = append(names, name)
		return nil
	}))
	return names
}

// A blob is two files. Only the owner can read files and folders.
func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	b := open(t, dir, files.Options{})
	store(t, b, "a/b/c", "content")
	require.Equal(t, []string{"a/", "a/b/", "a/b/c@data", "a/b/c@meta"}, tree(t, dir))
	require.NoError(t, filepath.WalkDir(filepath.Dir(dir), func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := entry.Info()
		require.NoError(t, err)
		if runtime.GOOS == "windows" {
			return nil // it has no such modes
		}
		if entry.IsDir() {
			require.Equal(t, fs.FileMode(0o700), info.Mode().Perm(), path)
		} else {
			require.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), path)
		}
		return nil
	}))
}

// Aborted, oversized, replaced, and deleted blobs leave neither files nor folders.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, files.Options{NoSync: true})
	for key, end := range map[string]func(engine.BlobWriter){
		"a/b/aborted": func(w engine.BlobWriter) { require.NoError(t, w.Abort()) },
		"c/d/toolarge": func(w engine.BlobWriter) {
			_, err := w.Write(make([]byte, 11))
			requireCode(t, engine.CodeTooLarge, err)
		},
		"e/f/deleted": func(w engine.BlobWriter) {
			_, err := w.Commit()
			require.NoError(t, err)
			require.NoError(t, b.Delete(t.Context(), "e/f/deleted"))
		},
	} {
		w, err := b.Create(t.Context(), key, engine.BlobMeta{MaxSize: 10})
		require.NoError(t, err)
		end(w)
	}
	require.Empty(t, tree(t, dir))

	var writers sync.WaitGroup
	for range 50 {
		writers.Go(func() {
			w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{})
			if err == nil {
				_, err = w.Commit()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	require.Equal(t, []string{"a/", "a/b@data", "a/b@meta"}, tree(t, dir))
}

// A reopened folder has all committed blobs, even after it was moved.
func TestReopenedAndMoved(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	store(t, open(t, filepath.Join(parent, "old"), files.Options{}), "a/b", "content")
	require.NoError(t, os.Rename(filepath.Join(parent, "old"), filepath.Join(parent, "new")))
	b := open(t, filepath.Join(parent, "new"), files.Options{Exclusive: true})
	require.Equal(t, "content", load(t, b, "a/b"))
}

// Two processes may share a folder: neither loses a write when the other removes an empty subfolder.
func TestSharedFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var writers sync.WaitGroup
	for _, name := range []string{"first", "second", "third"} {
		b, key := open(t, dir, files.Options{NoSync: true}), "a/b/"+name
		writers.Go(func() {
			for range 100 {
				w, err := b.Create(t.Context(), key, engine.BlobMeta{})
				if err == nil {
					_, err = w.Commit()
				}
				if err == nil {
					err = b.Delete(t.Context(), key)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	require.Empty(t, tree(t, dir))
}

// If the folder is removed, the next write creates it again.
func TestVanishedFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "blobs")
	b := open(t, dir, files.Options{})
	store(t, b, "a/b", "content")
	require.NoError(t, os.RemoveAll(dir))
	_, err := b.Stat(t.Context(), "a/b")
	requireCode(t, engine.CodeNotFound, err)
	require.NoError(t, b.List(t.Context(), "", func(engine.BlobInfo) error { panic("there is none") }))
	store(t, b, "a/b", "again")
	require.Equal(t, "again", load(t, b, "a/b"))
}

// A path that can't be a folder is an error. The reason is in the log, and the message doesn't reveal the path.
func TestUnusableFolder(t *testing.T) {
	t.Parallel()
	_, err := files.New("", files.Options{})
	requireCode(t, engine.CodeInvalid, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		_, err = files.New(dir, files.Options{})
		requireCode(t, engine.CodeUnavailable, err)
		require.Contains(t, err.Error(), file)
		require.NotContains(t, engine.Message(err), file)
	}
}
