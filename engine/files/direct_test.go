package files_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// serve serves the signed addresses of blobs below /media/.
func serve(t *testing.T, blobs engine.Blobs) engine.PresigningBlobs {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	direct, err := files.NewDirect(blobs, files.DirectOptions{URL: server.URL + "/media"})
	require.NoError(t, err)
	mux.Handle("/media/", direct)
	return direct.Blobs()
}

// Direct passes the conformance suites with blobs in files and in memory.
func TestDirect(t *testing.T) {
	t.Parallel()
	for name, blobs := range map[string]func(t *testing.T) engine.Blobs{
		"files":  func(t *testing.T) engine.Blobs { return open(t, t.TempDir(), files.Options{NoSync: true}) },
		"memory": func(*testing.T) engine.Blobs { return memory.NewBlobs() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestPresigningBlobs(t, func(t *testing.T) engine.PresigningBlobs { return serve(t, blobs(t)) })
			enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs { return serve(t, blobs(t)) })
		})
	}
}

// Only blobs in files have paths.
func TestDirectPaths(t *testing.T) {
	t.Parallel()
	_, local := serve(t, open(t, t.TempDir(), files.Options{NoSync: true})).(engine.LocalBlobs)
	require.True(t, local)
	_, local = serve(t, memory.NewBlobs()).(engine.LocalBlobs)
	require.False(t, local)
}

// do calls a Direct without a network.
func do(d *files.Direct, a engine.Address, body io.Reader) *httptest.ResponseRecorder {
	req := httptest.NewRequest(a.Method, a.URL, body)
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, req)
	return w
}

func newDirect(t *testing.T, blobs engine.Blobs) *files.Direct {
	t.Helper()
	d, err := files.NewDirect(blobs, files.DirectOptions{URL: "http://example.com/"})
	require.NoError(t, err)
	return d
}

// A PUT that begins in time may end after the address has expired.
func TestDirectSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		blobs := memory.NewBlobs()
		d := newDirect(t, blobs)
		a, err := d.Blobs().PresignPut(t.Context(), "a", engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Minute})
		require.NoError(t, err)
		in, out := io.Pipe()
		go func() {
			_, _ = io.WriteString(out, "con")
			time.Sleep(time.Hour)
			_, _ = io.WriteString(out, "tent")
			_ = out.Close()
		}()
		w := do(d, a, in)
		require.Equal(t, http.StatusOK, w.Code, w.Body)
		require.Equal(t, `"`+"ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"+`"`, w.Header().Get("ETag"))
		w = do(d, a, strings.NewReader("content"))
		require.Equal(t, http.StatusForbidden, w.Code)
		require.Contains(t, w.Body.String(), "expired")
	})
}

// A client that hangs is cut off, and leaves nothing.
func TestDirectHangs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := newDirect(t, open(t, dir, files.Options{NoSync: true}))
	a, err := d.Blobs().PresignPut(t.Context(), "a", engine.BlobPut{Size: 7, ContentType: "audio/wav", TTL: time.Minute})
	require.NoError(t, err)
	var deadlines []time.Duration
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		d.ServeHTTP(hasty{w, &deadlines}, req)
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "PUT "+strings.TrimPrefix(a.URL, "http://example.com")+" HTTP/1.1\r\nHost: example.com\r\nContent-Type: audio/wav\r\nContent-Length: 7\r\n\r\ncon")
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestTimeout, resp.StatusCode)
	require.Equal(t, "The bytes arrived too slowly.\n", string(text))
	require.NoError(t, resp.Body.Close())
	require.InDelta(t, time.Minute, deadlines[0], float64(10*time.Second))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// hasty is a ResponseWriter whose read deadlines come after 50 ms.
type hasty struct {
	http.ResponseWriter
	asked *[]time.Duration
}

func (h hasty) SetReadDeadline(at time.Time) error {
	*h.asked = append(*h.asked, time.Until(at))
	return http.NewResponseController(h.ResponseWriter).SetReadDeadline(time.Now().Add(50 * time.Millisecond))
}

// Sound and videos are shown; what could have scripts is only downloaded.
func TestDirectPresentation(t *testing.T) {
	t.Parallel()
	for contentType, want := range map[string][2]string{
		"audio/wav": {"audio/wav", "inline"}, "video/mp4; codecs=avc1": {"video/mp4; codecs=avc1", "inline"}, "image/jpeg": {"image/jpeg", "inline"},
		"text/html": {"application/octet-stream", "attachment"}, "image/svg+xml": {"application/octet-stream", "attachment"},
		"IMAGE/SVG+XML": {"application/octet-stream", "attachment"}, "application/xhtml+xml": {"application/octet-stream", "attachment"},
		"": {"application/octet-stream", "attachment"},
	} {
		d := newDirect(t, memory.NewBlobs())
		w, err := d.Blobs().Create(t.Context(), "a", engine.BlobMeta{ContentType: contentType})
		require.NoError(t, err)
		_, err = w.Commit()
		require.NoError(t, err)
		a, err := d.Blobs().PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Minute})
		require.NoError(t, err)
		header := do(d, a, nil).Header()
		require.Equal(t, want, [2]string{header.Get("Content-Type"), header.Get("Content-Disposition")}, contentType)
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Contains(t, header.Get("Content-Security-Policy"), "sandbox")
	}
}

// HEAD describes what GET returns. Every other method, and another path, is refused.
func TestDirectMethods(t *testing.T) {
	t.Parallel()
	blobs := open(t, t.TempDir(), files.Options{NoSync: true})
	store(t, blobs, "a", "content")
	d, err := files.NewDirect(blobs, files.DirectOptions{URL: "https://example.com/some/media/"})
	require.NoError(t, err)
	a, err := d.Blobs().PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Minute})
	require.NoError(t, err)
	require.Contains(t, a.URL, "https://example.com/some/media/a?")
	a.Method = http.MethodHead
	w := do(d, a, nil)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "7", w.Header().Get("Content-Length"))
	require.Empty(t, w.Body.String())
	a.Method = http.MethodPost
	w = do(d, a, nil)
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	require.Equal(t, "GET, HEAD, PUT", w.Header().Get("Allow"))
	a.Method, a.URL = http.MethodGet, strings.Replace(a.URL, "/some", "", 1)
	require.Equal(t, http.StatusNotFound, do(d, a, nil).Code)
}

// A damaged blob is an error before any of its bytes is sent.
func TestDirectDamaged(t *testing.T) {
	t.Parallel()
	blobs := open(t, t.TempDir(), files.Options{NoSync: true})
	store(t, blobs, "a", "content")
	path, err := blobs.Path("a")
	require.NoError(t, err)
	flip(t, path, 3, false)
	d := newDirect(t, blobs)
	a, err := d.Blobs().PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Minute})
	require.NoError(t, err)
	w := do(d, a, nil)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.NotContains(t, w.Body.String(), "content")
}

// An address lasts for at least its time, and at most a second longer. It doesn't survive another random key.
func TestDirectExpiry(t *testing.T) {
	t.Parallel()
	now := signTime.Add(300 * time.Millisecond)
	blobs := memory.NewBlobs()
	w, err := blobs.Create(t.Context(), "a", engine.BlobMeta{})
	require.NoError(t, err)
	_, err = w.Commit()
	require.NoError(t, err)
	d, err := files.NewDirect(blobs, files.DirectOptions{URL: "http://example.com", Now: func() time.Time { return now }})
	require.NoError(t, err)
	a, err := d.Blobs().PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Second})
	require.NoError(t, err)
	now = now.Add(time.Second - 1)
	require.Equal(t, http.StatusOK, do(d, a, nil).Code)
	require.Equal(t, http.StatusForbidden, do(newDirect(t, blobs), a, nil).Code)
	now = now.Add(time.Second + 1)
	require.Equal(t, http.StatusForbidden, do(d, a, nil).Code)
}

// NewDirect refuses addresses that clients couldn't use.
func TestDirectOptions(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "/media", "example.com", "ftp://example.com", "http://", "http://a:b@example.com", "http://example.com/?a=b", "http://example.com/#a", "http://[::1"} {
		_, err := files.NewDirect(memory.NewBlobs(), files.DirectOptions{URL: address})
		requireCode(t, engine.CodeInvalid, err)
	}
	_, err := files.NewDirect(memory.NewBlobs(), files.DirectOptions{URL: "http://example.com", Keys: []files.Key{{ID: "a", Secret: []byte("short")}}})
	requireCode(t, engine.CodeInvalid, err)
	d, err := files.NewDirect(memory.NewBlobs(), files.DirectOptions{URL: "http://example.com", Keys: []files.Key{oldKey}})
	require.NoError(t, err)
	a, err := d.Blobs().PresignGet(t.Context(), "a", engine.BlobGet{TTL: time.Minute})
	require.NoError(t, err)
	u, err := url.Parse(a.URL)
	require.NoError(t, err)
	require.Equal(t, oldKey.ID, u.Query().Get("kid"))
}
