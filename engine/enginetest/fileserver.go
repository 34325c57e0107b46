package enginetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// fileServer is a local server with the responses that a Fetcher must handle.
type fileServer struct {
	*httptest.Server
	hanging chan struct{} // receives one value for each request to /hangs after the first bytes are sent

	mu      sync.Mutex
	headers []http.Header // of each request
}

// tag is the ETag of the served file.
const tag = `"v1"`

// servedFile returns the file that the server serves. It is longer than the buffers of most clients.
var servedFile = sync.OnceValue(func() string { return "ID3\x04\x00" + pattern(200_000) })

// half returns the number of bytes before the server closes the connection.
func half() int { return len(servedFile()) / 2 }

func newFileServer(t *testing.T) *fileServer {
	t.Helper()
	s := &fileServer{hanging: make(chan struct{}, 8)}
	mux := http.NewServeMux()
	mux.HandleFunc("/talks/{name}", announced)
	mux.HandleFunc("/stream", unannounced)
	mux.HandleFunc("/named", named)
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/talks/moved%20here.mp3", http.StatusFound)
	})
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/status/{code}", status)
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { page(w, "text/html; charset=utf-8") })
	mux.HandleFunc("/disguised.mp3", func(w http.ResponseWriter, _ *http.Request) { page(w, "audio/mpeg") })
	mux.HandleFunc("/breaks", func(w http.ResponseWriter, _ *http.Request) { breakOff(w) })
	mux.HandleFunc("/resumes", resumes)
	mux.HandleFunc("/changes", changes)
	mux.HandleFunc("/hangs", s.hang)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.headers = append(s.headers, r.Header.Clone())
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// requests returns the headers of every request so far.
func (s *fileServer) requests() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.headers
}

func announced(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Length", strconv.Itoa(len(servedFile())))
	send(w, servedFile())
}

func unannounced(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "audio/mpeg")
	flush(w)
	send(w, servedFile())
}

func named(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "video/mp4")
	w.Header().Set("Content-Disposition", `attachment; filename="../a talk.mp4"`)
	send(w, "\x00\x00\x00\x18ftypmp42")
}

func status(w http.ResponseWriter, r *http.Request) {
	code, _ := strconv.Atoi(r.PathValue("code"))
	w.WriteHeader(code)
}

func page(w http.ResponseWriter, contentType string) {
	w.Header().Set("Content-Type", contentType)
	send(w, "<!DOCTYPE html><html><body>Sign in to listen.</body></html>")
}

// breakOff sends the file's headers and the first half, then closes the connection.
func breakOff(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Length", strconv.Itoa(len(servedFile())))
	send(w, servedFile()[:half()])
	flush(w)
	panic(http.ErrAbortHandler)
}

// resumes aborts the response, and serves the rest to a range request with the file's ETag.
func resumes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", tag)
	w.Header().Set("Accept-Ranges", "bytes")
	from, known := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	at, err := strconv.Atoi(strings.TrimSuffix(from, "-"))
	if !known || err != nil || at > len(servedFile()) || r.Header.Get("If-Range") != tag {
		breakOff(w)
	}
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(servedFile())-1, len(servedFile())))
	w.Header().Set("Content-Length", strconv.Itoa(len(servedFile())-at))
	w.WriteHeader(http.StatusPartialContent)
	send(w, servedFile()[at:])
}

// changes aborts the response, and then serves another file of the same length.
func changes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Accept-Ranges", "bytes")
	if r.Header.Get("Range") == "" {
		w.Header().Set("ETag", tag)
		breakOff(w)
	}
	w.Header().Set("ETag", `"v2"`)
	send(w, strings.Repeat("x", len(servedFile())))
}

// hang sends the first half of the file and then waits until the client disconnects.
func (s *fileServer) hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", strconv.Itoa(len(servedFile())))
	send(w, servedFile()[:half()])
	flush(w)
	s.hanging <- struct{}{}
	<-r.Context().Done()
}

// send writes a body and ignores errors, because the client may disconnect.
func send(w http.ResponseWriter, body string) { _, _ = w.Write([]byte(body)) }

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
