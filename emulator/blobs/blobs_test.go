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

const large = 100_000 // bytes; more than are kept in memory

func newShelf(t testing.TB) (*blobs.Shelf, string) {
	dir := t.TempDir()
	return blobs.NewShelf(func() (string, error) { return dir, nil }), dir
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

// Blobs on a shelf keep what all Blobs promise, and so do those of a fork.
func TestBlobs(t *testing.T) {
	t.Parallel()
	enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs {
		shelf, _ := newShelf(t)
		return blobs.New(shelf, nil)
	})
}

// A fork has what was there, and neither sees what the other does then.
func TestFork(t *testing.T) {
	t.Parallel()
	shelf, _ := newShelf(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 6789, time.UTC)
	parent := blobs.New(shelf, func() time.Time { return at })
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

// The file of a blob goes when no index has the blob any more, and not before.
func TestFilesGo(t *testing.T) {
	t.Parallel()
	shelf, dir := newShelf(t)
	parent := blobs.New(shelf, nil)
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
	require.Eventually(t, func() bool { return files() == 0 }, 10*time.Second, time.Millisecond)
	runtime.KeepAlive(parent)
}

// A small blob gets one file, when somebody asks for it.
func TestSmallPath(t *testing.T) {
	t.Parallel()
	shelf, dir := newShelf(t)
	b := blobs.New(shelf, nil)
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

// A folder that can't be had is told to whoever writes more than memory takes, and to nobody else.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	b := blobs.New(blobs.NewShelf(func() (string, error) { return "", os.ErrPermission }), nil)
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

// BenchmarkFork forks indexes of 100 and of 100,000 blobs: the time must not grow.
func BenchmarkFork(b *testing.B) {
	for _, n := range []int{100, 100_000} {
		shelf, _ := newShelf(b)
		parent := blobs.New(shelf, nil)
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
