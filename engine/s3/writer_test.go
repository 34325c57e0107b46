package s3_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

const part = 5 << 20 // the smallest part that S3 allows, in bytes

// 10,000 parts are enough for 5 TiB, whatever the part size, and no part is larger than S3 allows.
func TestPartSize(t *testing.T) {
	t.Parallel()
	const tib = int64(1) << 40
	for _, base := range []int64{s3.MinPart, 8 << 20, 64 << 20, 1 << 30} {
		for _, limit := range []int64{0, 1, 6 << 30, 300 << 30, 600 << 30, tib, 5 * tib} {
			var sum, largest int64
			for i := range s3.MaxParts {
				size := s3.PartSize(base, limit, i)
				require.GreaterOrEqual(t, size, base)
				sum, largest = sum+size, max(largest, size)
			}
			want := limit
			if limit == 0 {
				want = 5 * tib
			}
			require.GreaterOrEqual(t, sum, want, "%d %d", base, limit)
			require.Less(t, largest, int64(5<<30))
			if limit > 0 && limit <= 600<<30 && base <= s3.EvenSize {
				require.Equal(t, s3.PartSize(base, limit, 0), s3.PartSize(base, limit, s3.MaxParts-1), "all parts have one size")
			}
		}
	}
	require.EqualValues(t, 8<<20, s3.PartSize(8<<20, 6<<30, 767), "6 GiB need no larger parts")
}

// pieces writes content in pieces of an odd size.
func pieces(w io.Writer, content string) error {
	for len(content) > 0 {
		n, err := io.WriteString(w, content[:min(len(content), 77_777)])
		if err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}

// A blob of several parts has the same description, and reads, as one of a single request. Its size isn't known before.
func TestParts(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	b := open(t, bucket, s3.Options{PartSize: part, Parallel: 2})
	content := random(4*part + 12_345)
	for _, size := range []int{part - 1, part, part + 1, 2 * part, len(content)} {
		w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{ContentType: "audio/wav"})
		require.NoError(t, err)
		require.NoError(t, pieces(w, content[:size]))
		info, err := w.Commit()
		require.NoError(t, err)
		require.NoError(t, w.Abort())
		require.Equal(t, sha256.Sum256([]byte(content[:size])), info.SHA256)
		require.EqualValues(t, size, info.Size)
		found, err := b.Stat(t.Context(), "a/b")
		require.NoError(t, err)
		require.Equal(t, info, found)
		require.NoError(t, b.List(t.Context(), "", func(listed engine.BlobInfo) error { require.Equal(t, info, listed); return nil }))
		require.True(t, content[:size] == load(t, b, "a/b"), "%d bytes", size)
		require.Zero(t, bucket.Uploads(t))
		require.NoError(t, b.Delete(t.Context(), "a/b"))
		require.Empty(t, bucket.Keys(t))
	}
	r, err := b.Open(t.Context(), "a/b", 0, -1)
	requireCode(t, engine.CodeNotFound, err)
	require.Nil(t, r)
}

// Of two blobs of several parts with Once, the second is a conflict and leaves nothing.
func TestPartsOnce(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	b := open(t, bucket, s3.Options{PartSize: part})
	write := func(first byte) error {
		w, err := b.Create(t.Context(), "a", engine.BlobMeta{Once: true})
		require.NoError(t, err)
		require.NoError(t, pieces(w, string(first)+random(part)))
		_, err = w.Commit()
		return err
	}
	require.NoError(t, write('1'))
	keys := bucket.Keys(t)
	requireCode(t, engine.CodeConflict, write('2'))
	require.Equal(t, keys, bucket.Keys(t))
	require.Zero(t, bucket.Uploads(t))
	require.Equal(t, "1"+random(part), load(t, b, "a"))
}

// A blob of several parts that is aborted, canceled, too large, or refused leaves no bytes and no upload.
func TestPartsEnd(t *testing.T) {
	t.Parallel()
	canceled := errors.New("canceled")
	for name, c := range map[string]struct {
		end  func(w engine.BlobWriter, cancel context.CancelCauseFunc) error
		want engine.Code
	}{
		"aborted": {func(w engine.BlobWriter, _ context.CancelCauseFunc) error { return w.Abort() }, ""},
		"canceled, then committed": {func(w engine.BlobWriter, cancel context.CancelCauseFunc) error {
			cancel(canceled)
			_, err := w.Commit()
			return err
		}, engine.CodeInternal},
		"canceled, then written": {func(w engine.BlobWriter, cancel context.CancelCauseFunc) error {
			cancel(canceled)
			return pieces(w, random(3*part))
		}, engine.CodeInternal},
		"canceled, then aborted": {func(w engine.BlobWriter, cancel context.CancelCauseFunc) error {
			cancel(canceled)
			return w.Abort()
		}, ""},
		"too large": {func(w engine.BlobWriter, _ context.CancelCauseFunc) error { return pieces(w, random(4*part)) }, engine.CodeTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bucket := s3test.New(t)
			b := open(t, bucket, s3.Options{PartSize: part})
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			w, err := b.Create(ctx, "a", engine.BlobMeta{MaxSize: 6 * part})
			require.NoError(t, err)
			require.NoError(t, pieces(w, random(2*part+100)))
			require.Equal(t, 1, bucket.Uploads(t))
			err = c.end(w, cancel)
			require.Equal(t, c.want, engine.CodeOf(err), "%v", err)
			if c.want == engine.CodeInternal {
				require.ErrorIs(t, err, canceled)
			}
			require.NoError(t, w.Abort())
			require.Zero(t, bucket.Uploads(t))
			require.Empty(t, bucket.Keys(t))
		})
	}
}

// If a part can't be stored, the writer fails, and leaves no upload.
func TestPartRefused(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{PartSize: part, Attempts: 2})
	p.on(func(w http.ResponseWriter, r *http.Request) bool {
		return r.URL.Query().Get("partNumber") == "2" && refuse(w, http.StatusServiceUnavailable, "SlowDown")
	}, nil)
	w, err := b.Create(t.Context(), "a", engine.BlobMeta{})
	require.NoError(t, err)
	if err = pieces(w, random(6*part)); err == nil {
		_, err = w.Commit()
	}
	requireCode(t, engine.CodeUnavailable, err)
	_, again := w.Commit()
	require.Equal(t, err, again)
	require.Zero(t, p.bucket.Uploads(t))
	require.Empty(t, p.bucket.Keys(t))
}

// Content types that can't be a header, or that S3 would change, are kept as they are.
func TestContentTypes(t *testing.T) {
	t.Parallel()
	b := open(t, s3test.New(t), s3.Options{})
	for _, contentType := range []string{"", " audio/wav ", "a\nb", "é", strings.Repeat("x", 300)} {
		w, err := b.Create(t.Context(), "a", engine.BlobMeta{ContentType: contentType})
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, err)
		info, err := b.Stat(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, contentType, info.ContentType)
	}
}
