package s3_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
)

// random returns bytes that don't repeat.
func random(n int) string {
	var b strings.Builder
	for i := uint32(1); b.Len() < n; i = i*1664525 + 1013904223 {
		b.WriteByte(byte(i >> 24))
	}
	return b.String()
}

// busyAnswers are what a store answers that is overloaded or restarting.
var busyAnswers = map[string]func(http.ResponseWriter, *http.Request) bool{
	"503": func(w http.ResponseWriter, _ *http.Request) bool {
		return refuse(w, http.StatusServiceUnavailable, "ServiceUnavailable")
	},
	"SlowDown": func(w http.ResponseWriter, _ *http.Request) bool {
		return refuse(w, http.StatusServiceUnavailable, "SlowDown")
	},
	"429": func(w http.ResponseWriter, _ *http.Request) bool {
		return refuse(w, http.StatusTooManyRequests, "TooMany")
	},
	"InternalError":  func(w http.ResponseWriter, _ *http.Request) bool { return refuse(w, 500, "InternalError") },
	"cut connection": func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
}

// use calls each method once.
func use(ctx context.Context, b *s3.Blobs) error {
	w, err := b.Create(ctx, "a/b", engine.BlobMeta{ContentType: "audio/wav"})
	if err != nil {
		return err
	}
	if _, err = io.WriteString(w, "content"); err == nil {
		_, err = w.Commit()
	}
	if err != nil {
		return err
	}
	if _, err = b.Stat(ctx, "a/b"); err != nil {
		return err
	}
	r, err := b.Open(ctx, "a/b", 0, -1)
	if err != nil {
		return err
	}
	if _, err = io.ReadAll(r); err != nil {
		return err
	}
	if err = b.List(ctx, "a/", func(engine.BlobInfo) error { return nil }); err != nil {
		return err
	}
	return b.Delete(ctx, "a/b")
}

// Requests that a busy store refuses are repeated.
func TestBusy(t *testing.T) {
	t.Parallel()
	for name, answer := range busyAnswers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := newProxy(t, s3.Options{Attempts: 6})
			for _, methods := range []string{"PUT", "HEAD", "GET", "DELETE"} {
				p.on(times(3, methods, answer), nil)
				require.NoError(t, use(t.Context(), b), methods)
			}
		})
	}
}

// refusals are what a store answers whose operator changes keys or rights, or to a machine whose clock is wrong.
var refusals = map[string]func(http.ResponseWriter, *http.Request) bool{
	"AccessDenied":         func(w http.ResponseWriter, _ *http.Request) bool { return refuse(w, 403, "AccessDenied") },
	"InvalidAccessKeyId":   func(w http.ResponseWriter, _ *http.Request) bool { return refuse(w, 403, "InvalidAccessKeyId") },
	"RequestTimeTooSkewed": func(w http.ResponseWriter, _ *http.Request) bool { return refuse(w, 403, "RequestTimeTooSkewed") },
}

// After the last attempt, every method returns a retryable CodeUnavailable; afterwards the blobs work again.
func TestDown(t *testing.T) {
	t.Parallel()
	answers := maps.Clone(busyAnswers)
	maps.Copy(answers, refusals)
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := newProxy(t, s3.Options{Attempts: 2})
			store(t, b, "a", "content")
			p.on(times(1000, "GET HEAD PUT POST DELETE", answer), nil)
			for name, call := range map[string]func() error{
				"Commit": func() error {
					w, err := b.Create(t.Context(), "b", engine.BlobMeta{})
					require.NoError(t, err)
					_, err = w.Commit()
					return err
				},
				"Open":   func() error { _, err := b.Open(t.Context(), "a", 0, -1); return err },
				"Stat":   func() error { _, err := b.Stat(t.Context(), "a"); return err },
				"Delete": func() error { return b.Delete(t.Context(), "a") },
				"List":   func() error { return b.List(t.Context(), "", func(engine.BlobInfo) error { return nil }) },
				"Ready":  func() error { return b.Ready(t.Context()) },
				"Pin":    func() error { _, err := b.Pin(t.Context(), "a"); return err },
			} {
				err := call()
				requireCode(t, engine.CodeUnavailable, err)
				var e *engine.Error
				require.ErrorAs(t, err, &e)
				require.True(t, e.Retryable, name)
				require.NotEmpty(t, e.Hint, name)
				require.NotContains(t, err.Error(), p.bucket.SecretKey)
			}
			p.on(nil, nil)
			require.NoError(t, b.Ready(t.Context()))
			require.NoError(t, use(t.Context(), b))
			require.Equal(t, "content", load(t, b, "a"))
		})
	}
}

// A store without space is CodeNoSpace, and retryable.
func TestFull(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	for code, status := range map[string]int{"InsufficientStorage": 507, "QuotaExceeded": 403, "XMinioStorageFull": 507} {
		p.on(func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == http.MethodPut && refuse(w, status, code)
		}, nil)
		requireCode(t, engine.CodeNoSpace, use(t.Context(), b))
	}
}

// The bytes after a cut connection continue those before it.
func TestReadContinues(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	content := random(1 << 20)
	store(t, b, "a", content)
	requests := 0
	p.on(nil, func(r *http.Response) error {
		if r.Request.Method == http.MethodGet {
			requests++
			r.Body = &cutBody{r.Body, 100_000}
		}
		return nil
	})
	require.Equal(t, content, load(t, b, "a"))
	require.Greater(t, requests, 10)
	r, err := b.Open(t.Context(), "a", 1000, 500_000)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, content[1000:501_000], string(got))
}

// A reader whose connection was cut never mixes the bytes of two blobs, and finds out that its blob was deleted.
func TestReadChanged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, b *s3.Blobs)
		want   engine.Code
	}{
		"replaced": {func(t *testing.T, b *s3.Blobs) { store(t, b, "a", strings.Repeat("x", 1<<20)) }, engine.CodeUnavailable},
		"deleted":  {func(t *testing.T, b *s3.Blobs) { require.NoError(t, b.Delete(t.Context(), "a")) }, engine.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := newProxy(t, s3.Options{})
			content := random(1 << 20)
			store(t, b, "a", content)
			p.on(nil, func(r *http.Response) error { r.Body = &cutBody{r.Body, 100_000}; return nil })
			r, err := b.Open(t.Context(), "a", 0, -1)
			require.NoError(t, err)
			p.on(nil, nil)
			c.change(t, b)
			got, err := io.ReadAll(r)
			requireCode(t, c.want, err)
			require.True(t, strings.HasPrefix(content, string(got)))
			_, err = r.Read(make([]byte, 1))
			requireCode(t, c.want, err)
			require.NoError(t, r.Close())
		})
	}
}

// If the answer of the request that makes a blob visible is lost, the commit succeeds, also with Once.
func TestAnswerLost(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"one request": 1000, "parts": 6 << 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, b := newProxy(t, s3.Options{PartSize: 5 << 20})
			lost := 0
			p.on(nil, func(r *http.Response) error {
				q := r.Request.URL.Query()
				last := r.Request.Method == http.MethodPut && len(q) == 0 && strings.HasSuffix(r.Request.URL.Path, "!") || r.Request.Method == http.MethodPost && q.Has("uploadId")
				if last && lost == 0 {
					lost++
					return errors.New("lost")
				}
				return nil
			})
			w, err := b.Create(t.Context(), "a", engine.BlobMeta{Once: true})
			require.NoError(t, err)
			_, err = io.WriteString(w, random(size))
			require.NoError(t, err)
			_, err = w.Commit()
			require.NoError(t, err)
			require.Equal(t, 1, lost)
			require.Equal(t, random(size), load(t, b, "a"))
			require.Zero(t, p.bucket.Uploads(t))
		})
	}
}

// A blob whose bytes were damaged in the store is never read to its end.
func TestDamaged(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	store(t, b, "a", "content")
	p.on(nil, func(r *http.Response) error {
		if r.Request.Method == http.MethodGet {
			r.Body = struct {
				io.Reader
				io.Closer
			}{strings.NewReader("CONTENT"), r.Body}
		}
		return nil
	})
	r, err := b.Open(t.Context(), "a", 0, -1)
	require.NoError(t, err)
	got, err := io.ReadAll(r)
	requireCode(t, engine.CodeUnavailable, err)
	require.Empty(t, got)
	require.NoError(t, r.Close())
}

// A store that never answers doesn't outlive the context.
func TestBlackHole(t *testing.T) {
	t.Parallel()
	p, b := newProxy(t, s3.Options{})
	store(t, b, "a", "content")
	p.on(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	requireCode(t, engine.CodeCanceled, b.Ready(ctx))
	_, err := b.Stat(ctx, "a")
	requireCode(t, engine.CodeCanceled, err)
}
