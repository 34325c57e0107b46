package fetch_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// Fetch follows each redirect status, to absolute and relative URLs, and returns the last URL.
func TestRedirectsAreFollowed(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if status, err := strconv.Atoi(r.URL.Query().Get("status")); err == nil {
			w.Header().Set("Location", r.URL.Query().Get("to"))
			w.WriteHeader(status)
			return
		}
		_, _ = w.Write(media())
	})
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"/dir/b.mp3", "b.mp3", "../dir/b.mp3", server.URL + "/dir/b.mp3", server.URL[len("http:"):] + "/dir/b.mp3"} {
			got, info, err := get(private(fetch.Config{}), fmt.Sprintf("%s/dir/a.mp3?status=%d&to=%s", server.URL, status, to))
			require.NoError(t, err)
			require.Equal(t, media(), got)
			require.Equal(t, server.URL+"/dir/b.mp3", info.URL)
			require.Equal(t, "b.mp3", info.Filename)
		}
	}
}

// Fetch follows five redirects. A sixth is an error, and so is a loop.
func TestTooManyRedirects(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n, _ := strconv.Atoi(r.URL.Path[1:]); n > 0 {
			http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
		} else if r.URL.Path == "/loop" {
			http.Redirect(w, r, "/loop", http.StatusFound)
		}
	})
	_, _, err := get(private(fetch.Config{}), server.URL+"/5")
	require.NoError(t, err)
	for _, path := range []string{"/6", "/loop"} {
		_, _, err = get(private(fetch.Config{}), server.URL+path)
		requireError(t, err, engine.CodeDownload, false, "redirects more than 5 times")
	}
}

// The target of a redirect obeys the rules of a first URL. Breaking them is a permanent error.
func TestRedirectsObeyTheRules(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(http.StatusFound)
	})
	for _, to := range []string{
		"file:///etc/passwd", "ftp://example.com/a", "gopher://127.0.0.1/", "data:audio/mpeg;base64,AAAA", "//user:pass@example.com/",
		"http://0x7f.1/", "http://2130706433/", "http:///", "http://[::1", "%zz://", "http://example.com:0/",
	} {
		_, _, err := get(private(fetch.Config{}), server.URL+"/?to="+url.QueryEscape(to))
		requireError(t, err, engine.CodeDownload, false, "redirects to an invalid URL")
	}
	_, _, err := get(guarded(newNameServer(), portOf(t, server.URL)), server.URL+"/?to=http://example.com:22/")
	requireError(t, err, engine.CodeDownload, false, "redirects to an invalid URL")
}

// Fetch follows redirects from http to https, but not from https to http.
func TestNoDowngrade(t *testing.T) {
	t.Parallel()
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = w.Write(media())
	})
	secure, roots := serveTLS(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			http.Redirect(w, r, plain.URL, http.StatusFound)
			return
		}
		_, _ = w.Write(media())
	})
	client := private(fetch.Config{RootCAs: roots})
	_, _, err := get(client, secure.URL+"/down")
	requireError(t, err, engine.CodeDownload, false, "from https to http")
	_, info, err := get(client, plain.URL+"/?to="+secure.URL+"/up")
	require.NoError(t, err)
	require.Equal(t, secure.URL+"/up", info.URL)
}

// A redirected request carries no Referer, and no cookies of the previous server.
func TestRedirectsTellNothing(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		told = append(told, r.Header.Get("Referer")+r.Header.Get("Cookie")+r.Header.Get("Authorization"))
		mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1", Path: "/"})
		if r.URL.Path == "/a" {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	client := private(fetch.Config{})
	for range 2 {
		_, _, err := get(client, server.URL+"/a?secret=1")
		require.NoError(t, err)
	}
	require.Empty(t, strings.Join(told, ""))
	require.Len(t, told, 4)
}

// Fetch doesn't wait for the body of a redirect.
func TestRedirectBodyIsNotRead(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/b" {
			return
		}
		w.Header().Set("Location", "/b")
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(http.StatusFound)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	_, _, err := get(private(fetch.Config{}), server.URL+"/a")
	require.NoError(t, err)
}

// The error for a port says which ports are allowed.
func TestAllowedPorts(t *testing.T) {
	t.Parallel()
	for want, ports := range map[string][]uint16{"80, 443, 8080, or 8443": nil, "80 or 90": {80, 90}, "80": {80}} {
		_, err := fetch.New(fetch.Config{AllowPorts: ports}).Fetch(t.Context(), engine.FetchRequest{URL: "http://example.com:22/"}, io.Discard)
		require.Equal(t, "url uses port 22, which is not allowed: use "+want+".", engine.Message(err))
	}
}
