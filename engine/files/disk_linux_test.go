package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// mount mounts an in-memory file system on a new folder.
func mount(t *testing.T, flags uintptr, options string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("this test needs to mount a small disk: %v", err)
		}
		t.Skipf("a small disk can't be mounted: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// fill writes a file until the disk is full, and returns its path.
func fill(t *testing.T, dir string) string {
	t.Helper()
	file, err := os.Create(filepath.Join(dir, "ballast"))
	require.NoError(t, err)
	for err == nil {
		_, err = file.Write(make([]byte, 4096))
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
	return file.Name()
}

func requireNoSpace(t *testing.T, err error) {
	t.Helper()
	requireCode(t, engine.CodeNoSpace, err)
	var e *engine.Error
	require.True(t, errors.As(err, &e) && e.Retryable, "%v is retryable", err)
}

// On a full disk, a write fails with CodeNoSpace, leaves no file, changes no blob, and works again when there is space.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := mount(t, 0, "size=1m")
	b := open(t, dir, files.Options{})
	store(t, b, "a/b", "old")
	before := tree(t, dir)
	w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{})
	require.NoError(t, err)
	for err == nil {
		_, err = w.Write(make([]byte, 256<<10))
	}
	requireNoSpace(t, err)
	require.Equal(t, before, tree(t, dir), "the space is free before Abort")
	_, err = w.Commit()
	requireNoSpace(t, err)
	require.NoError(t, w.Abort())
	require.Equal(t, "old", load(t, b, "a/b"))
	require.Eventually(t, func() bool { // a child of another test keeps removed files open until its exec
		var free syscall.Statfs_t
		return syscall.Statfs(dir, &free) == nil && free.Bfree > 16
	}, time.Minute, time.Millisecond)
	store(t, b, "a/b", "new")
	require.Equal(t, "new", load(t, b, "a/b"))
}

// If the disk becomes full just before Commit, the previous blob stays.
func TestFullDiskAtCommit(t *testing.T) {
	t.Parallel()
	dir := mount(t, 0, "size=1m")
	b := open(t, dir, files.Options{Exclusive: true})
	store(t, b, "a/b", "old")
	w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{})
	require.NoError(t, err)
	_, err = w.Write([]byte("new"))
	require.NoError(t, err)
	ballast := fill(t, dir)
	_, err = w.Commit()
	requireNoSpace(t, err)
	require.Equal(t, []string{"a/", "a/b@data", "a/b@meta", "ballast"}, tree(t, dir))
	require.Equal(t, "old", load(t, b, "a/b"))
	require.NoError(t, b.Delete(t.Context(), "a/b"), "deleting needs no space")
	require.NoError(t, os.Remove(ballast))
	require.Empty(t, tree(t, dir))
}

// On a disk without free inodes, Create fails with CodeNoSpace.
func TestNoMoreFiles(t *testing.T) {
	t.Parallel()
	dir := mount(t, 0, "nr_inodes=3") // the root, one folder, one file
	b := open(t, dir, files.Options{})
	touch(t, dir, "full/file", "")
	_, err := b.Create(t.Context(), "a/b", engine.BlobMeta{})
	requireNoSpace(t, err)
	_, err = files.New(filepath.Join(dir, "new"), files.Options{})
	requireNoSpace(t, err)
}

// A read-only folder is CodeUnavailable, with a hint.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if os.Geteuid() == 0 { // root ignores permissions, but not a read-only mount
		dir = mount(t, syscall.MS_RDONLY, "size=1m")
	} else {
		require.NoError(t, os.Chmod(dir, 0o500))
	}
	b := open(t, dir, files.Options{})
	_, err := b.Create(t.Context(), "a/b", engine.BlobMeta{})
	requireCode(t, engine.CodeUnavailable, err)
	_, err = files.New(filepath.Join(dir, "new"), files.Options{})
	requireCode(t, engine.CodeUnavailable, err)
	var e *engine.Error
	require.True(t, errors.As(err, &e))
	require.NotEmpty(t, e.Hint)
	require.NotContains(t, engine.Message(err)+e.Hint, dir)
}
