package enginetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

func putStores(t *testing.T, b engine.PresigningBlobs) {
	content := pattern(300_000)
	for _, sum := range [][32]byte{{}, sha256.Sum256([]byte(content))} {
		key := fmt.Sprintf("a/%x", sum[:4])
		a, err := b.PresignPut(t.Context(), key, engine.BlobPut{Size: int64(len(content)), SHA256: sum, ContentType: "audio/wav", TTL: time.Hour})
		require.NoError(t, err)
		require.Empty(t, keysOf(t, b, key))
		got := sendTo(t, a, strings.NewReader(content))
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, content, load(t, b, key, 0, -1))
		info, err := b.Stat(t.Context(), key)
		require.NoError(t, err)
		require.EqualValues(t, len(content), info.Size)
		require.Equal(t, "audio/wav", info.ContentType)
		if sum != [32]byte{} || info.SHA256 != [32]byte{} { // it may be unknown if it wasn't signed
			require.Equal(t, sha256.Sum256([]byte(content)), info.SHA256)
		}
	}
}

func putOnce(t *testing.T, b engine.PresigningBlobs) {
	a, err := b.PresignPut(t.Context(), "a", engine.BlobPut{Size: 5, ContentType: "audio/wav", TTL: time.Hour})
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader("first")).status)
	for _, again := range []string{"other", "first"} {
		require.Equal(t, http.StatusPreconditionFailed, sendTo(t, a, strings.NewReader(again)).status)
	}
	require.Equal(t, "first", load(t, b, "a", 0, -1))
}

func putRace(t *testing.T, b engine.PresigningBlobs) {
	const size = 100_000
	a, err := b.PresignPut(t.Context(), "a", engine.BlobPut{Size: size, ContentType: "audio/wav", TTL: time.Hour})
	require.NoError(t, err)
	var winners, winner atomic.Int64
	require.NoError(t, concurrently(16, func(i int) error {
		if sendTo(t, a, strings.NewReader(strings.Repeat(string(rune('a'+i)), size))).status == http.StatusOK {
			winners.Add(1)
			winner.Store(int64(i))
		}
		return nil
	}))
	require.EqualValues(t, 1, winners.Load())
	require.Equal(t, strings.Repeat(string(rune('a'+winner.Load())), size), load(t, b, "a", 0, -1))
}

// unsized hides the size of a body, so that it is sent in chunks.
type unsized struct{ io.Reader }

// endless never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func putOther(t *testing.T, b engine.PresigningBlobs) {
	sized, err := b.PresignPut(t.Context(), "sized", engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Hour})
	require.NoError(t, err)
	for _, wrong := range []io.Reader{strings.NewReader("conten"), strings.NewReader("content!"), endless{}} {
		requireRefused(t, sendTo(t, sized, unsized{wrong}))
	}
	requireRefused(t, sendTo(t, sized, strings.NewReader("content!")))
	requireNoBlob(t, b, "sized")

	a := presignPut(t, b, "a", "content")
	for _, wrong := range []string{"", "conten", "content!", "CONTENT", strings.Repeat("content", 100_000)} {
		requireRefused(t, sendTo(t, a, strings.NewReader(wrong)), len(wrong))
		requireRefused(t, sendTo(t, a, unsized{strings.NewReader(wrong)}), len(wrong), "in chunks")
		requireNoBlob(t, b, "a")
	}
	for _, contentType := range []string{"", "audio/mpeg", "text/html"} {
		requireRefused(t, sendTo(t, a, strings.NewReader("content"), "Content-Type", contentType), contentType)
	}
	requireNoBlob(t, b, "a")
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader("content")).status)
}

// broken ends with an error after some bytes.
type broken struct{ left int }

func (r *broken) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errors.New("the client died")
	}
	n := min(len(p), r.left)
	r.left -= n
	return n, nil
}

func putCut(t *testing.T, b engine.PresigningBlobs) {
	const size = 1 << 20
	a, err := b.PresignPut(t.Context(), "a", engine.BlobPut{Size: size, ContentType: "audio/wav", TTL: time.Hour})
	require.NoError(t, err)
	for _, sent := range []int{1, size / 2, size - 1} {
		sendCut(t, a, size, sent)
	}
	requireNoBlob(t, b, "a")
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(pattern(size))).status, "another attempt stores it")
	require.Equal(t, pattern(size), load(t, b, "a", 0, -1))
}

// sendCut sends the first bytes of a body that should have size bytes, and requires that it is refused.
func sendCut(t *testing.T, a engine.Address, size int64, sent int) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), a.Method, a.URL, &broken{sent})
	require.NoError(t, err)
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	req.ContentLength = size
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		require.GreaterOrEqual(t, resp.StatusCode, 400)
		require.NoError(t, resp.Body.Close())
	}
}

func getRanges(t *testing.T, b engine.PresigningBlobs) {
	content := pattern(100_000)
	store(t, b, "a", content)
	a, err := b.PresignGet(t.Context(), "a", engine.BlobGet{ContentType: "video/mp4", Filename: "Größe \"1\".mp4", TTL: time.Hour})
	require.NoError(t, err)
	whole := sendTo(t, a, nil)
	require.Equal(t, http.StatusOK, whole.status)
	require.Equal(t, content, whole.body)
	require.Equal(t, "video/mp4", whole.header.Get("Content-Type"))
	require.Contains(t, whole.header.Get("Content-Disposition"), "filename")
	require.Equal(t, "audio/wav", sendTo(t, presignGet(t, b, "a"), nil).header.Get("Content-Type"))
	for ranges, want := range map[string]string{
		"bytes=0-0": content[:1], "bytes=10-99": content[10:100], "bytes=99990-": content[99990:], "bytes=-5": content[99995:], "bytes=0-": content,
	} {
		part := sendTo(t, a, nil, "Range", ranges)
		require.Equal(t, http.StatusPartialContent, part.status, ranges)
		require.Equal(t, want, part.body, ranges)
	}
	require.Equal(t, http.StatusRequestedRangeNotSatisfiable, sendTo(t, a, nil, "Range", "bytes=100000-").status)
}

func getMissing(t *testing.T, b engine.PresigningBlobs) {
	a := presignGet(t, b, "a")
	require.Equal(t, http.StatusNotFound, sendTo(t, a, nil).status)
	store(t, b, "a", "content")
	require.Equal(t, "content", sendTo(t, a, nil).body)
	require.NoError(t, b.Delete(t.Context(), "a"))
	require.Equal(t, http.StatusNotFound, sendTo(t, a, nil).status)
}
