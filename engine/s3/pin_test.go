package s3_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// A pinned source never has the bytes of another blob: not in a range, and not in its local copy.
func TestPin(t *testing.T) {
	t.Parallel()
	b := open(t, s3test.New(t), s3.Options{})
	store(t, b, "a", "0123456789")
	src, err := b.Pin(t.Context(), "a")
	require.NoError(t, err)
	require.EqualValues(t, 10, src.Size())
	r, err := src.Open(t.Context(), 3, 4)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "3456", string(got))

	store(t, b, "a", "abcdefghij")
	for _, n := range []int64{-1, 0, 4} {
		_, err = src.Open(t.Context(), 3, n)
		requireCode(t, engine.CodeUnavailable, err)
	}
	_, _, err = src.Hold(t.Context())
	requireCode(t, engine.CodeUnavailable, err)
	require.NoError(t, b.Delete(t.Context(), "a"))
	_, err = src.Open(t.Context(), 3, 4)
	requireCode(t, engine.CodeNotFound, err)
	_, err = b.Pin(t.Context(), "a")
	requireCode(t, engine.CodeNotFound, err)
}

// Concurrent holders share one download, and later ones use it again.
func TestHoldShares(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{CopyDir: t.TempDir()})
	store(t, b, "a", "content")
	var gets atomic.Int64
	p.on(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			gets.Add(1)
		}
		return false
	}, nil)
	src, err := b.Pin(t.Context(), "a")
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			path, release, err := src.Hold(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			content, err := os.ReadFile(path)
			if string(content) != "content" {
				t.Error(string(content), err)
			}
			release()
			release() // a second call does nothing
		})
	}
	group.Wait()
	require.EqualValues(t, 1, gets.Load())
}

// hold holds a copy and returns its path.
func hold(t *testing.T, b *s3.Blobs, key string) (path string, release func()) {
	t.Helper()
	src, err := b.Pin(t.Context(), key)
	require.NoError(t, err)
	path, release, err = src.Hold(t.Context())
	require.NoError(t, err)
	return path, release
}

// Local copies never have more bytes than the quota: idle ones are removed, and held ones make others wait.
func TestHoldQuota(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, s3test.New(t), s3.Options{CopyDir: dir, CopyQuota: 250})
	for _, key := range []string{"a", "b", "c", "large"} {
		size := 100
		if key == "large" {
			size = 251
		}
		store(t, b, key, random(size))
	}
	first, releaseA := hold(t, b, "a")
	_, releaseB := hold(t, b, "b")
	src, err := b.Pin(t.Context(), "c")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	waits := make(chan error)
	go func() { _, _, err := src.Hold(ctx); waits <- err }()
	cancel()
	requireCode(t, engine.CodeCanceled, <-waits)

	held := make(chan string)
	go func() {
		path, release, err := src.Hold(t.Context())
		if err != nil {
			t.Error(err)
		} else {
			defer release()
		}
		held <- path
	}()
	releaseA()
	require.FileExists(t, <-held)
	require.NoFileExists(t, first)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2)
	releaseB()

	large, err := b.Pin(t.Context(), "large")
	require.NoError(t, err)
	_, _, err = large.Hold(t.Context())
	requireCode(t, engine.CodeNoSpace, err)
	require.NoError(t, b.Close())
	files, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
}

// A download that fails leaves no file and no use of the quota.
func TestHoldFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, b := newProxy(t, s3.Options{CopyDir: dir, CopyQuota: 10, Attempts: 2})
	store(t, b, "a", "content")
	src, err := b.Pin(t.Context(), "a")
	require.NoError(t, err)
	p.on(nil, func(r *http.Response) error { r.Body = &cutBody{r.Body, 0}; return nil })
	_, _, err = src.Hold(t.Context())
	requireCode(t, engine.CodeUnavailable, err)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	p.on(nil, nil)
	_, release := hold(t, b, "a")
	release()
}
