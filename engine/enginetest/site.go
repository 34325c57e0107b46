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

// site is a server on this machine with what a Fetcher meets.
type site struct {
	*httptest.Server
	asked chan struct{} // has one for each request to /hangs that has got the first bytes of its answer

	mu      sync.Mutex
	headers []http.Header // of every request
}

// tag is the ETag of the site's file.
const tag = `"v1"`

// siteFile is what the site serves: longer than the buffers of most clients.
var siteFile = sync.OnceValue(func() string { return "ID3\x04\x00" + pattern(200_000) })

// half is how much of the file comes before the site breaks off.
func half() int { return len(siteFile()) / 2 }

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{asked: make(chan struct{}, 8)}
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
func (s *site) requests() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.headers
}

func announced(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Length", strconv.Itoa(len(siteFile())))
	send(w, siteFile())
}

func unannounced(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "audio/mpeg")
	flush(w)
	send(w, siteFile())
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

// breakOff announces the file and hangs up in its middle.
func breakOff(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Length", strconv.Itoa(len(siteFile())))
	send(w, siteFile()[:half()])
	flush(w)
	panic(http.ErrAbortHandler)
}

// resumes breaks off, and serves the rest to who asks for it and knows the file's tag.
func resumes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", tag)
	w.Header().Set("Accept-Ranges", "bytes")
	from, known := strings.CutPrefix(r.Header.Get("Range"), "bytes=")
	at, err := strconv.Atoi(strings.TrimSuffix(from, "-"))
	if !known || err != nil || at > len(siteFile()) || r.Header.Get("If-Range") != tag {
		breakOff(w)
	}
	w.Header().Set("Content-Type", "audio/mpeg")
	w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", at, len(siteFile())-1, len(siteFile())))
	w.Header().Set("Content-Length", strconv.Itoa(len(siteFile())-at))
	w.WriteHeader(http.StatusPartialContent)
	send(w, siteFile()[at:])
}

// changes breaks off, and then has another file of the same length.
func changes(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Accept-Ranges", "bytes")
	if r.Header.Get("Range") == "" {
		w.Header().Set("ETag", tag)
		breakOff(w)
	}
	w.Header().Set("ETag", `"v2"`)
	send(w, strings.Repeat("x", len(siteFile())))
}

// hang sends the first bytes of a file, and nothing more until the client hangs up.
func (s *site) hang(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Length", strconv.Itoa(len(siteFile())))
	send(w, siteFile()[:half()])
	flush(w)
	s.asked <- struct{}{}
	<-r.Context().Done()
}

// send writes a body, on which the client may hang up.
func send(w http.ResponseWriter, body string) { _, _ = w.Write([]byte(body)) }

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
