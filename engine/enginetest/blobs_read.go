package enginetest

import (
	"io"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobReadCases returns the claims about reading blobs.
func blobReadCases() []blobsCase {
	return []blobsCase{
		{"Open reads exactly the range, cut at the end of the blob", rangeReads},
		{"an offset outside the blob is invalid", rangeOutside},
		{"a missing blob is CodeNotFound", blobNotFound},
		{"Delete removes a blob and ignores a missing one", deletedBlob},
		{"an open reader is unaffected by replacing or deleting the blob", readerKeeps},
		{"Path names a file with exactly the blob's bytes", localPath},
	}
}

func rangeReads(t *testing.T, b engine.Blobs) {
	content := pattern(1000)
	store(t, b, "a", content)
	for _, c := range []struct {
		off, n int64
		want   string
	}{
		{0, -1, content},
		{0, 0, ""},
		{0, 1, content[:1]},
		{0, 1000, content},
		{0, 1001, content},
		{0, math.MaxInt64, content},
		{1, -1, content[1:]},
		{1, -5, content[1:]},
		{1, math.MaxInt64, content[1:]},
		{500, 250, content[500:750]},
		{999, 1, content[999:]},
		{999, 2, content[999:]},
		{1000, -1, ""},
		{1000, 0, ""},
		{1000, 10, ""},
	} {
		require.Equal(t, c.want, load(t, b, "a", c.off, c.n), "%d bytes from offset %d", c.n, c.off)
	}
}

func rangeOutside(t *testing.T, b engine.Blobs) {
	store(t, b, "a", "12345")
	for _, off := range []int64{-1, 6, math.MinInt64, math.MaxInt64} {
		for _, n := range []int64{-1, 0, 1} {
			_, err := b.Open(t.Context(), "a", off, n)
			requireCode(t, engine.CodeInvalid, err)
		}
	}
}

func blobNotFound(t *testing.T, b engine.Blobs) {
	requireNoBlob(t, b, "a")
	store(t, b, "a/b", "content")
	for _, key := range []string{"a", "a/b/c", "a/bc", "b"} {
		requireNoBlob(t, b, key)
	}
}

func deletedBlob(t *testing.T, b engine.Blobs) {
	require.NoError(t, b.Delete(t.Context(), "never/was"))
	store(t, b, "a/b", "content")
	store(t, b, "a/c", "stays")
	for range 2 {
		require.NoError(t, b.Delete(t.Context(), "a/b"))
		requireNoBlob(t, b, "a/b")
	}
	requireBlob(t, b, "a/c", "stays")
	store(t, b, "a/b", "again")
	requireBlob(t, b, "a/b", "again")
}

func readerKeeps(t *testing.T, b engine.Blobs) {
	content := pattern(200_000)
	for _, change := range []func(){
		func() { store(t, b, "a", "something else") },
		func() { require.NoError(t, b.Delete(t.Context(), "a")) },
	} {
		store(t, b, "a", content)
		r, err := b.Open(t.Context(), "a", 0, -1)
		require.NoError(t, err)
		head := make([]byte, 10)
		_, err = io.ReadFull(r, head)
		require.NoError(t, err)
		change()
		tail, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, content, string(head)+string(tail))
	}
}

func localPath(t *testing.T, b engine.Blobs) {
	local, ok := b.(engine.LocalBlobs)
	if !ok {
		return // LocalBlobs is optional
	}
	store(t, b, "a/b", "content")
	path, err := local.Path("a/b")
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "content", string(content))
	_, err = local.Path("a/c")
	requireCode(t, engine.CodeNotFound, err)
}
