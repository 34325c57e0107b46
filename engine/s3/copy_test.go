package s3_test

import (
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
)

// isCopy reports whether a request copies an object.
func isCopy(r *http.Request) bool { return r.Header.Get("X-Amz-Copy-Source") != "" }

// putRaw stores an object as a client with a signed address does.
func putRaw(t *testing.T, p *proxy, key, content string) {
	t.Helper()
	_, err := p.bucket.Client(t).PutObject(t.Context(), p.bucket.Name, "some/prefix/"+key+"!", strings.NewReader(content), int64(len(content)), "", "",
		minio.PutObjectOptions{ContentType: "audio/wav"})
	require.NoError(t, err)
}

// The store computes the SHA-256 of a copy, so that the bytes need not be read.
func TestCopyHashed(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	putRaw(t, p, "a", "content")
	info, err := b.Stat(t.Context(), "a")
	require.NoError(t, err)
	require.Zero(t, info.SHA256, "the client sent none")
	info, err = b.Copy(t.Context(), "a", "b")
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256([]byte("content")), info.SHA256)
}

// A store that computes no SHA-256 of copies makes them without.
func TestCopyNotHashed(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	putRaw(t, p, "a", "content")
	p.on(func(w http.ResponseWriter, r *http.Request) bool {
		return isCopy(r) && r.Header.Get("X-Amz-Checksum-Algorithm") != "" && refuse(w, http.StatusNotImplemented, "NotImplemented")
	}, nil)
	_, err := b.Copy(t.Context(), "a", "b")
	require.NoError(t, err)
	require.Equal(t, "content", load(t, b, "b"))
}

// An object that is replaced or removed after the store was asked for it is not copied.
func TestCopyChanged(t *testing.T) {
	t.Parallel()
	for _, code := range []engine.Code{engine.CodeConflict, engine.CodeNotFound} {
		p, b := newProxy(t, s3.Options{})
		putRaw(t, p, "a", "content")
		p.on(func(_ http.ResponseWriter, r *http.Request) bool {
			if isCopy(r) && code == engine.CodeConflict {
				putRaw(t, p, "a", "CONTENT")
			} else if isCopy(r) {
				require.NoError(t, p.bucket.Client(t).RemoveObject(t.Context(), p.bucket.Name, "some/prefix/a!", minio.RemoveObjectOptions{}))
			}
			return false
		}, nil)
		_, err := b.Copy(t.Context(), "a", "b")
		requireCode(t, code, err)
		require.NotContains(t, p.bucket.Keys(t), "some/prefix/b!")
	}
}

// A copy whose answer is lost, or that the store reports with the status 200 though it failed, is made again or an error.
func TestCopyFaults(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{Attempts: 3})
	putRaw(t, p, "a", "content")
	var lost atomic.Int32
	p.on(nil, func(r *http.Response) error {
		if isCopy(r.Request) && lost.Add(1) == 1 {
			return errors.New("lost")
		}
		return nil
	})
	_, err := b.Copy(t.Context(), "a", "b")
	require.NoError(t, err)
	require.EqualValues(t, 2, lost.Load())
	require.Equal(t, "content", load(t, b, "b"))
	p.on(func(w http.ResponseWriter, r *http.Request) bool {
		return isCopy(r) && refuse(w, http.StatusOK, "InternalError")
	}, nil)
	_, err = b.Copy(t.Context(), "a", "c")
	requireCode(t, engine.CodeUnavailable, err)
	p.on(times(1000, "PUT", busyAnswers["SlowDown"]), nil)
	_, err = b.Copy(t.Context(), "a", "d")
	requireCode(t, engine.CodeUnavailable, err)
}
