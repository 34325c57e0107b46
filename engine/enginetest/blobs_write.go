package enginetest

import (
	"context"
	"crypto/sha256"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobWriteCases returns the claims about writing blobs.
func blobWriteCases() []blobsCase {
	return []blobsCase{
		{"a blob is invisible until Commit", invisibleUntilCommit},
		{"Commit replaces an existing blob, and not before", commitReplaces},
		{"Commit of Once never replaces a blob", commitOnce},
		{"Abort leaves the previous state unchanged", abortLeavesNothing},
		{"Abort after Commit does nothing", abortAfterCommit},
		{"a writer rejects writes after Commit or Abort", writerHasEnded},
		{"a write over the limit is CodeTooLarge and nothing is committed", limitedSize},
		{"a blob can be empty", emptyBlob},
		{"Commit and Stat return the same size, hash, and content type", commitDescribes},
		{"content can be written in pieces of any size", anyPieces},
		{"a key can be a prefix folder of another key", keyAndFolder},
		{"every method rejects an invalid key", invalidKeys},
		{"every method returns CodeCanceled for an ended context", canceledBlobs},
	}
}

func invisibleUntilCommit(t *testing.T, b engine.Blobs) {
	w := create(t, b, "a/b")
	requireNoBlob(t, b, "a/b")
	_, err := io.WriteString(w, pattern(300_000))
	require.NoError(t, err)
	requireNoBlob(t, b, "a/b")
	require.Empty(t, keysOf(t, b, ""))
	_, err = w.Commit()
	require.NoError(t, err)
	requireBlob(t, b, "a/b", pattern(300_000))
	require.Equal(t, []string{"a/b"}, keysOf(t, b, ""))
}

func commitReplaces(t *testing.T, b engine.Blobs) {
	store(t, b, "a", "before")
	w := create(t, b, "a")
	_, err := io.WriteString(w, "the one after")
	require.NoError(t, err)
	requireBlob(t, b, "a", "before")
	_, err = w.Commit()
	require.NoError(t, err)
	requireBlob(t, b, "a", "the one after")
	require.Equal(t, []string{"a"}, keysOf(t, b, ""))
}

func commitOnce(t *testing.T, b engine.Blobs) {
	write := func(content string) error {
		w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{Once: true})
		require.NoError(t, err)
		_, err = io.WriteString(w, content)
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, w.Abort())
		return err
	}
	require.NoError(t, write("first"))
	requireCode(t, engine.CodeConflict, write("second"))
	requireBlob(t, b, "a/b", "first")
	require.NoError(t, b.Delete(t.Context(), "a/b"))
	require.NoError(t, write("third"))
	requireBlob(t, b, "a/b", "third")
	require.Equal(t, []string{"a/b"}, keysOf(t, b, ""))
	store(t, b, "a/b", "fourth")
	requireBlob(t, b, "a/b", "fourth")
}

func abortLeavesNothing(t *testing.T, b engine.Blobs) {
	store(t, b, "old", "before")
	for _, key := range []string{"new", "old", "folder/new"} {
		w := create(t, b, key)
		_, err := io.WriteString(w, "never")
		require.NoError(t, err)
		require.NoError(t, w.Abort())
		require.NoError(t, w.Abort(), "a second Abort is no error")
	}
	requireNoBlob(t, b, "new")
	requireNoBlob(t, b, "folder/new")
	requireBlob(t, b, "old", "before")
	require.Equal(t, []string{"old"}, keysOf(t, b, ""))
}

func abortAfterCommit(t *testing.T, b engine.Blobs) {
	w := create(t, b, "a")
	_, err := io.WriteString(w, "stays")
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
	require.NoError(t, w.Abort())
	requireBlob(t, b, "a", "stays")
}

func writerHasEnded(t *testing.T, b engine.Blobs) {
	for _, end := range []func(engine.BlobWriter) error{
		func(w engine.BlobWriter) error { _, err := w.Commit(); return err },
		func(w engine.BlobWriter) error { return w.Abort() },
	} {
		w := create(t, b, "a")
		require.NoError(t, end(w))
		_, err := io.WriteString(w, "late")
		require.Error(t, err)
		_, err = w.Commit()
		require.Error(t, err)
		requireBlob(t, b, "a", "")
	}
}

func limitedSize(t *testing.T, b engine.Blobs) {
	limited := func() engine.BlobWriter {
		w, err := b.Create(t.Context(), "a", engine.BlobMeta{MaxSize: 10})
		require.NoError(t, err)
		_, err = io.WriteString(w, "12345")
		require.NoError(t, err)
		return w
	}
	w := limited()
	_, err := io.WriteString(w, "678901")
	requireCode(t, engine.CodeTooLarge, err)
	_, err = io.WriteString(w, "6")
	require.Error(t, err, "a write after a failed write fails")
	_, err = w.Commit()
	requireCode(t, engine.CodeTooLarge, err)
	require.NoError(t, w.Abort())
	requireNoBlob(t, b, "a")

	w = limited()
	_, err = io.WriteString(w, "67890")
	require.NoError(t, err)
	n, err := w.Write(nil)
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = w.Commit()
	require.NoError(t, err)
	requireBlob(t, b, "a", "1234567890")
}

func emptyBlob(t *testing.T, b engine.Blobs) {
	store(t, b, "a", "")
	requireBlob(t, b, "a", "")
	require.Empty(t, load(t, b, "a", 0, 5))
}

func commitDescribes(t *testing.T, b engine.Blobs) {
	for _, contentType := range []string{"", "audio/wav", `text/plain; charset="utf-8"; x="a\"b/é"`} {
		w, err := b.Create(t.Context(), "a", engine.BlobMeta{ContentType: contentType})
		require.NoError(t, err)
		_, err = io.WriteString(w, "content")
		require.NoError(t, err)
		committed, err := w.Commit()
		require.NoError(t, err)
		require.False(t, committed.ModTime.IsZero())
		found, err := b.Stat(t.Context(), "a")
		require.NoError(t, err)
		for _, info := range []engine.BlobInfo{committed, found} {
			require.True(t, committed.ModTime.Equal(info.ModTime))
			info.ModTime = time.Time{}
			require.Equal(t, engine.BlobInfo{Key: "a", Size: 7, SHA256: sha256.Sum256([]byte("content")), ContentType: contentType}, info)
		}
	}
}

func anyPieces(t *testing.T, b engine.Blobs) {
	content := pattern(70_000)
	w := create(t, b, "a")
	for rest, size := content, 1; rest != ""; size *= 3 {
		n, err := io.WriteString(w, rest[:min(size, len(rest))])
		require.NoError(t, err)
		rest = rest[n:]
	}
	_, err := w.Commit()
	require.NoError(t, err)
	requireBlob(t, b, "a", content)
}

func keyAndFolder(t *testing.T, b engine.Blobs) {
	for _, key := range []string{"a", "a/b", "a/b/c", "z/y", "z"} {
		store(t, b, key, "content of "+key)
	}
	for _, key := range []string{"a", "a/b", "a/b/c", "z/y", "z"} {
		requireBlob(t, b, key, "content of "+key)
	}
	require.NoError(t, b.Delete(t.Context(), "a"))
	require.NoError(t, b.Delete(t.Context(), "z/y"))
	require.Equal(t, []string{"a/b", "a/b/c", "z"}, keysOf(t, b, ""))
}

func invalidKeys(t *testing.T, b engine.Blobs) {
	for _, key := range []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "./a", "a/.", "../a", "a/..", "a/../b", "a/../../b", "a b", `a\b`, `..\a`, "a\x00b", "a\n", "ä",
		"a@b", "a:b", "a%2e", "a~", "a?b", "a*", "\xff", "a/" + strings.Repeat("x", 2000), strings.Repeat("x/", 1000) + "x",
	} {
		_, err := b.Create(t.Context(), key, engine.BlobMeta{})
		requireCode(t, engine.CodeInvalid, err)
		_, err = b.Open(t.Context(), key, 0, -1)
		requireCode(t, engine.CodeInvalid, err)
		_, err = b.Stat(t.Context(), key)
		requireCode(t, engine.CodeInvalid, err)
		requireCode(t, engine.CodeInvalid, b.Delete(t.Context(), key))
		if local, ok := b.(engine.LocalBlobs); ok {
			_, err = local.Path(key)
			requireCode(t, engine.CodeInvalid, err)
		}
	}
	for _, key := range []string{"a", "A-Z_0.9", "...", ".hidden", "-", "a/b.c/d_e/f-g", strings.Repeat("x", 128)} {
		store(t, b, key, key)
		requireBlob(t, b, key, key)
	}
}

func canceledBlobs(t *testing.T, b engine.Blobs) {
	store(t, b, "a", "stays")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Create(ctx, "b", engine.BlobMeta{})
	requireCode(t, engine.CodeCanceled, err)
	_, err = b.Open(ctx, "a", 0, -1)
	requireCode(t, engine.CodeCanceled, err)
	_, err = b.Stat(ctx, "a")
	requireCode(t, engine.CodeCanceled, err)
	requireCode(t, engine.CodeCanceled, b.Delete(ctx, "a"))
	requireCode(t, engine.CodeCanceled, b.List(ctx, "", func(engine.BlobInfo) error { return errTest }))
	requireBlob(t, b, "a", "stays")
	require.Equal(t, []string{"a"}, keysOf(t, b, ""))
}
