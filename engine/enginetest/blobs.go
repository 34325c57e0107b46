package enginetest

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobsCase is one claim about every engine.Blobs.
type blobsCase struct {
	claim string
	check func(t *testing.T, b engine.Blobs)
}

// TestBlobs checks an implementation of engine.Blobs. Each subtest calls open, which must return empty blobs.
func TestBlobs(t *testing.T, open func(t *testing.T) engine.Blobs) {
	t.Helper()
	for _, c := range slices.Concat(blobWriteCases(), blobReadCases(), blobListCases(), blobRaceCases()) {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			c.check(t, open(t))
		})
	}
}

// create starts a blob without a size limit.
func create(t *testing.T, b engine.Blobs, key string) engine.BlobWriter {
	t.Helper()
	w, err := b.Create(t.Context(), key, engine.BlobMeta{ContentType: "audio/wav"})
	require.NoError(t, err)
	return w
}

// store commits a blob.
func store(t *testing.T, b engine.Blobs, key, content string) engine.BlobInfo {
	t.Helper()
	w := create(t, b, key)
	n, err := io.WriteString(w, content)
	require.NoError(t, err)
	require.Equal(t, len(content), n)
	info, err := w.Commit()
	require.NoError(t, err)
	return info
}

// load returns n bytes of a blob, starting at off.
func load(t *testing.T, b engine.Blobs, key string, off, n int64) string {
	t.Helper()
	r, err := b.Open(t.Context(), key, off, n)
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return string(content)
}

// requireBlob fails the test unless a blob has the given content and matching info.
func requireBlob(t *testing.T, b engine.Blobs, key, content string) {
	t.Helper()
	require.Equal(t, content, load(t, b, key, 0, -1))
	info, err := b.Stat(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, key, info.Key)
	require.EqualValues(t, len(content), info.Size)
	require.Equal(t, sha256.Sum256([]byte(content)), info.SHA256)
}

// requireNoBlob fails the test if a blob with the key exists.
func requireNoBlob(t *testing.T, b engine.Blobs, key string) {
	t.Helper()
	_, err := b.Stat(t.Context(), key)
	requireCode(t, engine.CodeNotFound, err)
	_, err = b.Open(t.Context(), key, 0, -1)
	requireCode(t, engine.CodeNotFound, err)
	require.NotContains(t, keysOf(t, b, ""), key)
}

// keysOf returns the keys that List reports, in its order.
func keysOf(t *testing.T, b engine.Blobs, prefix string) []string {
	t.Helper()
	keys := []string{}
	require.NoError(t, b.List(t.Context(), prefix, func(info engine.BlobInfo) error {
		keys = append(keys, info.Key)
		return nil
	}))
	return keys
}

// pattern returns n bytes in which every position is recognisable.
func pattern(n int) string {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteByte(byte(i ^ i>>8))
	}
	return b.String()
}
