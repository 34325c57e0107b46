package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// A key is segments of letters, digits, '-', '_' and '.' with slashes between them: at most 200 bytes each, 1,024 together.
func TestKeys(t *testing.T) {
	t.Parallel()
	segment := strings.Repeat("a", 200)
	for key, valid := range map[string]bool{
		"a": true, "uploads/obj_1/Blob-2.mp4": true, "a/.hidden": true, "a/...": true,
		segment: true, segment + "a": false,
		strings.Repeat(segment+"/", 5) + strings.Repeat("a", 19): true, // 1,024 bytes
		strings.Repeat(segment+"/", 5) + strings.Repeat("a", 20): false,
		"": false, "/": false, "/a": false, "a/": false, "a//b": false,
		".": false, "..": false, "a/../b": false, "a/./b": false,
		"a b": false, `a\b`: false, "a:b": false, "é": false, "a\x00": false, "a\n": false,
	} {
		require.Equal(t, valid, blob.ValidKey(key), "%.40q", key)
		if err := blob.CheckKey(key); valid {
			require.NoError(t, err)
		} else {
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, fault.CodeInvalid, e.Code, "%.40q", key)
			require.Contains(t, e.Hint, "A key has letters")
		}
	}
}

// Copy copies every byte, also where the size is not a multiple of the buffer's.
func TestCopy(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 256 << 10, 600_001} {
		want := bytes.Repeat([]byte("0123456789a"), size/11+1)[:size]
		var got bytes.Buffer
		require.NoError(t, blob.Copy(t.Context(), &got, bytes.NewReader(want)))
		require.True(t, bytes.Equal(want, got.Bytes()), "%d bytes", size)
	}
}

// Copy returns the errors of both sides, and stops with the cause of a canceled context.
func TestCopyFails(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	require.ErrorIs(t, blob.Copy(t.Context(), io.Discard, iotest.ErrReader(wrong)), wrong)
	_, pipe := io.Pipe()
	require.NoError(t, pipe.CloseWithError(wrong))
	require.Error(t, blob.Copy(t.Context(), pipe, strings.NewReader("a")))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(wrong)
	require.ErrorIs(t, blob.Copy(ctx, io.Discard, strings.NewReader("a")), wrong)
}

// A copy ends when its context does, even if there is more to read.
func TestCopyCanceledMidway(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	ctx, cancel := context.WithCancelCause(t.Context())
	read := 0
	endless := readerFunc(func(p []byte) (int, error) {
		if read += len(p); read > 1<<20 {
			cancel(wrong)
		}
		return len(p), nil
	})
	require.ErrorIs(t, blob.Copy(ctx, io.Discard, endless), wrong)
	require.Less(t, read, 2<<20)
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// texts are blobs by key.
type texts map[string]string

func (b texts) Open(_ context.Context, key string, off, n int64) (io.ReadCloser, error) {
	text := b[key][off:]
	if n >= 0 {
		text = text[:min(n, int64(len(text)))]
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func (b texts) Path(key string) (string, error) { return "/blobs/" + key, nil }

// A source reads its blob from any offset, any number of times, and returns its size and its file.
func TestSource(t *testing.T) {
	t.Parallel()
	blobs := texts{"a": "0123456789"}
	src := blob.LocalSource{Source: blob.Source{Blobs: blobs, Key: "a", Length: 10}, Files: blobs}
	require.EqualValues(t, 10, src.Size())
	for _, c := range []struct {
		off, n int64
		want   string
	}{{0, -1, "0123456789"}, {3, 2, "34"}, {3, -1, "3456789"}, {0, 0, ""}, {0, -1, "0123456789"}} {
		body, err := src.Open(t.Context(), c.off, c.n)
		require.NoError(t, err)
		got, err := io.ReadAll(body)
		require.NoError(t, err)
		require.Equal(t, c.want, string(got))
	}
	path, err := src.Path()
	require.NoError(t, err)
	require.Equal(t, "/blobs/a", path)
}
