package enginetest

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// presignReplaceCases returns the claims about addresses whose bytes can be replaced, and about copies, which protect bytes from that.
func presignReplaceCases() []presignCase {
	return []presignCase{
		{"a replaceable PUT needs no header but Content-Type, and replaces the bytes", replaceTwice},
		{"of many concurrent replaceable PUTs, the bytes of one remain", replaceRace},
		{"a replaceable PUT that is refused leaves the earlier bytes", replaceOther},
		{"a replaceable PUT that ends early leaves the earlier bytes", replaceCut},
		{"an address that stores once can't be made replaceable", replaceForged},
		{"a replaceable PUT after a copy doesn't change the copy", replaceAfterCopy},
		{"a copy of a missing blob is not found", copyMissing},
		{"a copy to or from an invalid key is refused", copyInvalid},
		{"a copy during PUTs has all the bytes of one of them", copyWhileReplaced},
	}
}

// presignReplaceable returns an address for a WAV file that needs no header but Content-Type.
func presignReplaceable(t *testing.T, b engine.PresigningBlobs, key string, size int) engine.Address {
	t.Helper()
	a, err := b.PresignPut(t.Context(), key, engine.BlobPut{Size: int64(size), ContentType: "audio/wav", TTL: time.Hour, Replaceable: true})
	require.NoError(t, err)
	a.Header = map[string]string{"Content-Type": "audio/wav"}
	return a
}

func replaceTwice(t *testing.T, b engine.PresigningBlobs) {
	a := presignReplaceable(t, b, "a", 5)
	for _, content := range []string{"first", "other", "first"} {
		got := sendTo(t, a, strings.NewReader(content))
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, content, load(t, b, "a", 0, -1))
		info, err := b.Stat(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, "audio/wav", info.ContentType)
		if info.SHA256 != [32]byte{} {
			require.Equal(t, sha256.Sum256([]byte(content)), info.SHA256)
		}
	}
	require.NoError(t, b.Delete(t.Context(), "a"))
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader("again")).status)
	require.Equal(t, []string{"a"}, keysOf(t, b, ""))
}

func replaceRace(t *testing.T, b engine.PresigningBlobs) {
	const size = 100_000
	a := presignReplaceable(t, b, "a", size)
	require.NoError(t, concurrently(16, func(i int) error {
		if got := sendTo(t, a, strings.NewReader(strings.Repeat(string(rune('a'+i)), size))); got.status != http.StatusOK {
			return fmt.Errorf("status %d: %s", got.status, got.body)
		}
		return nil
	}))
	content := load(t, b, "a", 0, -1)
	require.Equal(t, strings.Repeat(content[:1], size), content)
	require.Equal(t, []string{"a"}, keysOf(t, b, ""))
}

func replaceOther(t *testing.T, b engine.PresigningBlobs) {
	a := presignReplaceable(t, b, "a", 7)
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader("content")).status)
	for _, wrong := range []string{"", "conten", "content!", strings.Repeat("content", 100_000)} {
		requireRefused(t, sendTo(t, a, strings.NewReader(wrong)), len(wrong))
		requireRefused(t, sendTo(t, a, unsized{strings.NewReader(wrong)}), len(wrong), "in chunks")
	}
	requireRefused(t, sendTo(t, a, strings.NewReader("CONTENT"), "Content-Type", "audio/mpeg"))
	require.Equal(t, "content", load(t, b, "a", 0, -1))
}

func replaceCut(t *testing.T, b engine.PresigningBlobs) {
	const size = 1 << 20
	a := presignReplaceable(t, b, "a", size)
	first, second := pattern(size), strings.Repeat("b", size)
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(first)).status)
	for _, sent := range []int{1, size / 2, size - 1} {
		sendCut(t, a, size, sent)
	}
	require.Equal(t, first, load(t, b, "a", 0, -1))
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(second)).status)
	require.Equal(t, second, load(t, b, "a", 0, -1))
}

func replaceForged(t *testing.T, b engine.PresigningBlobs) {
	put := engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Hour}
	once, err := b.PresignPut(t.Context(), "a", put)
	require.NoError(t, err)
	put.Replaceable = true
	many, err := b.PresignPut(t.Context(), "a", put)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, sendTo(t, once, strings.NewReader("content")).status)
	signed, err := url.Parse(once.URL)
	require.NoError(t, err)
	other, err := url.Parse(many.URL)
	require.NoError(t, err)
	query := signed.Query()
	for name := range other.Query() {
		if !query.Has(name) {
			query[name] = other.Query()[name]
		}
	}
	signed.RawQuery = query.Encode()
	for _, address := range []string{once.URL, signed.String()} {
		requireRefused(t, sendTo(t, engine.Address{Method: once.Method, URL: address, Header: many.Header}, strings.NewReader("CONTENT")))
	}
	require.Equal(t, "content", load(t, b, "a", 0, -1))
}

// copier returns the blobs as engine.CopyingBlobs, or skips the test.
func copier(t *testing.T, b engine.Blobs) engine.CopyingBlobs {
	t.Helper()
	c, ok := b.(engine.CopyingBlobs)
	if !ok {
		t.Skip("the blobs are not engine.CopyingBlobs")
	}
	return c
}

func replaceAfterCopy(t *testing.T, b engine.PresigningBlobs) {
	c := copier(t, b)
	content := pattern(300_000)
	a := presignReplaceable(t, b, "a/put", len(content))
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(content), "Cache-Control", "max-age=1", "Content-Encoding", "gzip").status)
	made, err := c.Copy(t.Context(), "a/put", "a/copy")
	require.NoError(t, err)
	require.EqualValues(t, len(content), made.Size)
	require.Equal(t, "audio/wav", made.ContentType)
	require.Equal(t, "a/copy", made.Key)
	if made.SHA256 != [32]byte{} {
		require.Equal(t, sha256.Sum256([]byte(content)), made.SHA256)
	}
	found, err := b.Stat(t.Context(), "a/copy")
	require.NoError(t, err)
	require.Equal(t, made, found)
	require.Equal(t, []string{"a/copy", "a/put"}, keysOf(t, b, ""))
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(strings.Repeat("b", len(content)))).status)
	require.NoError(t, b.Delete(t.Context(), "a/put"))
	require.Equal(t, content, load(t, b, "a/copy", 0, -1))
	got := sendTo(t, presignGet(t, b, "a/copy"), nil)
	require.Equal(t, content, got.body)
	require.Empty(t, got.header.Get("Content-Encoding"), "a client chose it")
	require.NotContains(t, got.header.Get("Cache-Control"), "max-age=1", "a client chose it")
	require.NoError(t, b.Delete(t.Context(), "a/copy"))
	require.Empty(t, keysOf(t, b, ""))
}

func copyMissing(t *testing.T, b engine.PresigningBlobs) {
	_, err := copier(t, b).Copy(t.Context(), "a", "b")
	requireCode(t, engine.CodeNotFound, err)
	require.Empty(t, keysOf(t, b, ""))
}

func copyInvalid(t *testing.T, b engine.PresigningBlobs) {
	c := copier(t, b)
	store(t, b, "a", "content")
	for _, key := range []string{"", "/a", "a//b", "../a", "a b"} {
		_, err := c.Copy(t.Context(), "a", key)
		requireCode(t, engine.CodeInvalid, err)
		_, err = c.Copy(t.Context(), key, "b")
		requireCode(t, engine.CodeInvalid, err)
	}
	require.Equal(t, []string{"a"}, keysOf(t, b, ""))
}

func copyWhileReplaced(t *testing.T, b engine.PresigningBlobs) {
	const size, rounds = 100_000, 20
	c, a := copier(t, b), presignReplaceable(t, b, "put/a", size)
	version := func(i int) string { return strings.Repeat(string(rune('a'+i)), size) }
	require.Equal(t, http.StatusOK, sendTo(t, a, strings.NewReader(version(0))).status)
	copied := 0
	require.NoError(t, concurrently(2, func(role int) error {
		for i := range rounds {
			if role == 0 {
				if got := sendTo(t, a, strings.NewReader(version(i))); got.status != http.StatusOK {
					return fmt.Errorf("status %d: %s", got.status, got.body)
				}
				continue
			}
			made, err := c.Copy(t.Context(), "put/a", fmt.Sprintf("copy/%d", i))
			if code := engine.CodeOf(err); code == engine.CodeConflict || code == engine.CodeUnavailable {
				continue // it says that the bytes were replaced
			} else if err != nil {
				return err
			}
			content, err := readWhole(t, b, made.Key)
			if err == nil && string(content) != strings.Repeat(string(content[:1]), size) {
				err = fmt.Errorf("the copy %s has bytes of two versions", made.Key)
			}
			if err == nil && made.SHA256 != [32]byte{} && made.SHA256 != sha256.Sum256(content) {
				err = fmt.Errorf("the SHA-256 of the copy %s is wrong", made.Key)
			}
			if err != nil {
				return err
			}
			copied++
		}
		return nil
	}))
	require.Positive(t, copied)
}
