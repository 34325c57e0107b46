package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// touch creates a file and its folders, like a process that crashed.
func touch(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// age sets the times of everything below dir to three hours ago.
func age(t *testing.T, dir string) {
	t.Helper()
	old := time.Now().Add(-3 * time.Hour)
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	}))
}

// crashes lists every state in which a crash can leave the blob a/b, which had the content "old" or didn't exist.
var crashes = []struct {
	name  string
	leave func(t *testing.T, dir string)
}{
	{"while bytes arrive", func(t *testing.T, dir string) { touch(t, dir, "a/b@NEW", "half") }},
	{"before the record is whole", func(t *testing.T, dir string) {
		touch(t, dir, "a/b@NEW", "new")
		touch(t, dir, "a/b@NEW.tmp", "")
	}},
	{"before the record is in place", func(t *testing.T, dir string) {
		touch(t, dir, "a/b@NEW", "new")
		touch(t, dir, "a/b@NEW.tmp", `{"version":"NEW","size":3}`)
	}},
	{"before replaced data is removed", func(t *testing.T, dir string) { touch(t, dir, "a/b@OLDER", "older") }},
	{"before an empty folder is removed", func(t *testing.T, dir string) { require.NoError(t, os.MkdirAll(filepath.Join(dir, "a/c/d"), 0o700)) }},
	{"of several writers", func(t *testing.T, dir string) {
		touch(t, dir, "a/b@ONE", "1")
		touch(t, dir, "a/b@TWO", "2")
		touch(t, dir, "a/b/c@THREE", "3")
	}},
}

// After any crash, the blob is unchanged, and New with Exclusive removes everything else.
func TestCrash(t *testing.T) {
	t.Parallel()
	for _, c := range crashes {
		t.Run(c.name+", replacing", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			store(t, open(t, dir, files.Options{}), "a/b", "old")
			c.leave(t, dir)
			b := open(t, dir, files.Options{Exclusive: true})
			require.Equal(t, []string{"a/", "a/b@data", "a/b@meta"}, tree(t, dir))
			require.Equal(t, "old", load(t, b, "a/b"))
		})
		t.Run(c.name+", new", func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c.leave(t, dir)
			b := open(t, dir, files.Options{Exclusive: true})
			require.Empty(t, tree(t, dir))
			_, err := b.Stat(t.Context(), "a/b")
			requireCode(t, engine.CodeNotFound, err)
			store(t, b, "a/b", "new")
			require.Equal(t, "new", load(t, b, "a/b"))
		})
	}
}

// In a shared folder, New removes only files older than StaleAfter: others may belong to another process.
func TestSharedFolderKeepsFreshFiles(t *testing.T) {
	t.Parallel()
	for _, c := range crashes[:4] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			store(t, open(t, dir, files.Options{}), "a/b", "old")
			c.leave(t, dir)
			before := tree(t, dir)
			b := open(t, dir, files.Options{})
			require.Equal(t, before, tree(t, dir))
			age(t, dir)
			open(t, dir, files.Options{StaleAfter: 4 * time.Hour})
			require.Equal(t, before, tree(t, dir))
			open(t, dir, files.Options{})
			require.Equal(t, []string{"a/", "a/b@data", "a/b@meta"}, tree(t, dir))
			require.Equal(t, "old", load(t, b, "a/b"))
		})
	}
}

// Opening the folder doesn't disturb another process's writer.
func TestWriterOutlivesOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, err := open(t, dir, files.Options{}).Create(t.Context(), "a/b", engine.BlobMeta{})
	require.NoError(t, err)
	other := open(t, dir, files.Options{})
	_, err = w.Write([]byte("content"))
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
	require.Equal(t, "content", load(t, other, "a/b"))
}

// A record without data, and data without a record, are not blobs, and New removes them.
func TestHalfABlob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, files.Options{})
	for _, key := range []string{"no-data", "no-record"} {
		store(t, b, key, "content")
	}
	path, err := b.Path("no-data")
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Remove(filepath.Join(dir, "no-record@meta")))
	for _, key := range []string{"no-data", "no-record"} {
		_, err := b.Stat(t.Context(), key)
		requireCode(t, engine.CodeNotFound, err)
		_, err = b.Open(t.Context(), key, 0, -1)
		requireCode(t, engine.CodeNotFound, err)
	}
	require.NoError(t, b.List(t.Context(), "", func(engine.BlobInfo) error { panic("there is none") }))
	open(t, dir, files.Options{Exclusive: true})
	require.Empty(t, tree(t, dir))
}

// A damaged blob is reported as damaged, kept for inspection, and can be deleted.
func TestDamagedBlob(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(data, record string) error{
		"cut data":     func(data, _ string) error { return os.Truncate(data, 3) },
		"empty record": func(_, record string) error { return os.Truncate(record, 0) },
		"cut record":   func(_, record string) error { return os.Truncate(record, 20) },
		"other record": func(_, record string) error { return os.WriteFile(record, []byte(`{"version":"../../x"}`), 0o600) },
		"record's hash": func(_, record string) error {
			return os.WriteFile(record, []byte(`{"version":"X","sha256":"00"}`), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			b := open(t, dir, files.Options{})
			store(t, b, "a/b", "content")
			path, err := b.Path("a/b")
			require.NoError(t, err)
			require.NoError(t, damage(path, filepath.Join(dir, "a/b@meta")))
			b = open(t, dir, files.Options{Exclusive: true})
			_, err = b.Stat(t.Context(), "a/b")
			requireCode(t, engine.CodeUnavailable, err)
			_, err = b.Open(t.Context(), "a/b", 0, -1)
			requireCode(t, engine.CodeUnavailable, err)
			require.Equal(t, []string{"a/", "a/b@data", "a/b@meta"}, tree(t, dir))
			require.Equal(t, []string{"a/b"}, b.Damaged())
			require.NoError(t, b.Delete(t.Context(), "a/b"))
			require.Empty(t, b.Damaged())
			open(t, dir, files.Options{Exclusive: true})
			require.Empty(t, tree(t, dir))
		})
	}
}

// If a record is damaged, New keeps all data of the blob.
func TestDamagedRecordKeepsData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store(t, open(t, dir, files.Options{}), "a/b", "content")
	touch(t, dir, "a/b@meta", "{")
	touch(t, dir, "a/b@OTHER", "other content")
	open(t, dir, files.Options{Exclusive: true})
	require.Equal(t, []string{"a/", "a/b@data", "a/b@data", "a/b@meta"}, tree(t, dir))
}

// Foreign files are neither listed nor removed.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	foreign := []string{"README", "a b@meta", "lost+found/", "lost+found/x@data", "mine@home/", "@data"}
	touch(t, dir, "README", "")
	touch(t, dir, "a b@meta", "")
	touch(t, dir, "lost+found/x@data", "")
	touch(t, dir, "@data", "")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "mine@home"), 0o700))
	age(t, dir)
	b := open(t, dir, files.Options{Exclusive: true})
	require.NoError(t, b.List(t.Context(), "", func(engine.BlobInfo) error { panic("there is none") }))
	require.ElementsMatch(t, foreign, tree(t, dir))
}
