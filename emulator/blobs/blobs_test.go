package blobs_test

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/blobs"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
)

const large = 100_000 // bytes; too large to be kept in memory

func newPool(t testing.TB) (*blobs.Pool, string) {
	dir := t.TempDir()
	return blobs.NewPool(func() (string, error) { return dir, nil }), dir
}

func store(t testing.TB, b *blobs.Blobs, key, content string) {
	t.Helper()
	w, err := b.Create(t.Context(), key, engine.BlobMeta{})
	require.NoError(t, err)
	_, err = io.WriteString(w, content)
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
}

func load(t testing.TB, b *blobs.Blobs, key string) string {
	t.Helper()
	r, err := b.Open(t.Context(), key, 0, -1)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(content)
}

func keys(t testing.TB, b *blobs.Blobs) (keys []string) {
	t.Helper()
	require.NoError(t, b.List(t.Context(), "", func(info engine.BlobInfo) error {
		keys = append(keys, info.Key)
		return nil
	}))
	return keys
}

// Blobs passes the conformance suite of engine.Blobs.
func TestBlobs(t *testing.T) {
	t.Parallel()
	enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs {
		pool, _ := newPool(t)
		return blobs.New(pool, nil)
	})
}

// A fork starts with the parent's blobs, and neither sees later changes of the other.
func TestFork(t *testing.T) {
	t.Parallel()
	pool, _ := newPool(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6789, time.UTC)
	parent := blobs.New(pool, func() time.Time { return at })
	big := strings.Repeat("x", large)
	store(t, parent, "kept", "small")
	store(t, parent, "big", big)
	store(t, parent, "replaced", "old")
	fork := parent.Fork(parent.Snapshot(), nil)
	require.Equal(t, parent.Snapshot(), fork.Snapshot())

	store(t, parent, "replaced", "new")
	store(t, parent, "late", "late")
	require.NoError(t, parent.Delete(t.Context(), "big"))
	require.NoError(t, fork.Delete(t.Context(), "kept"))
	store(t, fork, "own", "own")

	require.Equal(t, []string{"kept", "late", "replaced"}, keys(t, parent))
	require.Equal(t, []string{"big", "own", "replaced"}, keys(t, fork))
	require.Equal(t, "new", load(t, parent, "replaced"))
	require.Equal(t, "old", load(t, fork, "replaced"))
	require.Equal(t, big, load(t, fork, "big"))
	info, err := fork.Stat(t.Context(), "big")
	require.NoError(t, err)
	require.Equal(t, at.Truncate(time.Microsecond), info.ModTime)
}

// A blob's file is removed only after the last index has deleted the blob.
func TestFilesAreRemoved(t *testing.T) {
	t.Parallel()
	pool, dir := newPool(t)
	parent := blobs.New(pool, nil)
	store(t, parent, "big", strings.Repeat("x", large))
	fork := parent.Fork(parent.Snapshot(), nil)
	files := func() int {
		runtime.GC()
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		return len(entries)
	}
	require.NoError(t, parent.Delete(t.Context(), "big"))
	require.Equal(t, 1, files())
	require.Len(t, load(t, fork, "big"), large)
	require.NoError(t, fork.Delete(t.Context(), "big"))
	require.Eventually(t, func() bool { return files() == 0 }, time.Minute, time.Millisecond)
	runtime.KeepAlive(parent)
}

// Path writes a small blob to a file once, and forks share that file.
func TestSmallPath(t *testing.T) {
	t.Parallel()
	pool, dir := newPool(t)
	b := blobs.New(pool, nil)
	store(t, b, "small", "small")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	first, err := b.Path("small")
	require.NoError(t, err)
	again, err := b.Fork(b.Snapshot(), nil).Path("small")
	require.NoError(t, err)
	require.Equal(t, first, again)
	content, err := os.ReadFile(first)
	require.NoError(t, err)
	require.Equal(t, "small", string(content))
}

// Without a folder, writing a large blob and Path fail. Small blobs still work.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	b := blobs.New(blobs.NewPool(func() (string, error) { return "", os.ErrPermission }), nil)
	store(t, b, "small", "small")
	w, err := b.Create(t.Context(), "big", engine.BlobMeta{})
	require.NoError(t, err)
	_, err = io.WriteString(w, strings.Repeat("x", large))
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	_, err = w.Commit()
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	_, err = b.Path("small")
	require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
	require.Equal(t, []string{"small"}, keys(t, b))
}

// BenchmarkFork forks indexes of 100 and of 100,000 blobs. The time must not depend on the size.
func BenchmarkFork(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		pool, _ := newPool(b)
		parent := blobs.New(pool, nil)
		for i := range n {
			store(b, parent, fmt.Sprintf("uploads/%d", i), "x")
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				parent.Fork(parent.Snapshot(), nil)
			}
		})
	}
}

// The bytes of a damaged file are never read, and its key is known. The file can be repaired.
func TestDamage(t *testing.T) {
	t.Parallel()
	pool, dir := newPool(t)
	b := blobs.New(pool, nil)
	store(t, b, "a/b", strings.Repeat("x", large))
	names, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, names, 1)
	path := dir + "/" + names[0].Name()
	when := time.Unix(1e9, 0)
	write := func(content string) {
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		when = when.Add(time.Second) // the file system's clock may be coarse
		require.NoError(t, os.Chtimes(path, when, when))
	}
	for range 2 {
		write(strings.Repeat("x", large-1) + "y")
		for _, n := range []int64{-1, 0, 10} {
			_, err = b.Open(t.Context(), "a/b", 0, n)
			require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		}
		_, err = b.Path("a/b")
		require.Equal(t, engine.CodeUnavailable, engine.CodeOf(err))
		require.Equal(t, []string{"a/b"}, pool.Damaged())
		write(strings.Repeat("x", large))
		require.Equal(t, strings.Repeat("x", large), load(t, b, "a/b"))
		require.Empty(t, pool.Damaged())
	}
}
