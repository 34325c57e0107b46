// Package console serves the sandbox's console: the built pages in dist, which `make console` builds from web. They are the same for every
// server and show nothing by themselves: everything comes from /v1 and /_soundstage. Start with [Handler]:
//
//	mux.Handle(console.Path, console.Handler(""))
package console

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// dist has the built pages. A name with an underscore or a dot in front would be left out without "all:".
//
//go:embed all:dist
var dist embed.FS

// missing is the page for an address without a page, and its style, because the policy allows no inline style.
//
//go:embed missing.html missing.css
var missing embed.FS

// Path is where the console is served.
const Path = "/_soundstage/console/"

// Handler returns the handler for Path. mediaFrom is the URL of another origin that serves media and takes uploads, as Options.PublicURL of a
// sandbox; "" for none.
func Handler(mediaFrom string) http.Handler { return handler("index.html", policyWith(mediaFrom)) }

// Operators returns the handler for Path of a node: the console of those who run it.
func Operators() http.Handler { return handler("operators.html", policyWith("")) }

// handler serves the built files. index is the one for Path itself.
func handler(index, policy string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if req.Method != http.MethodGet && req.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "The console has only pages to get.", http.StatusMethodNotAllowed)
			return
		}
		name := cmp.Or(strings.TrimPrefix(req.URL.Path, Path), index)
		if f := find(name); f != nil && (name == index || path.Ext(name) != ".html") { // the other pages are not for this server
			f.serve(w, req, http.StatusOK)
			return
		}
		find("missing.html").serve(w, req, http.StatusNotFound)
	})
}

// policyWith returns the Content-Security-Policy. The pages load nothing from elsewhere, and text never becomes code.
func policyWith(mediaFrom string) string {
	also := ""
	if u, err := url.Parse(mediaFrom); err == nil && u.Host != "" {
		also = " " + u.Scheme + "://" + u.Host
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:" + also +
		"; media-src 'self' blob:" + also + "; connect-src 'self'" + also + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// file is one file in the forms in which it is sent.
type file struct {
	name    string
	raw     []byte
	zipped  []byte // with gzip; nil if that isn't smaller
	tag     string // of its content
	mime    string
	forever bool // its name changes with its content
}

// files has what was asked for, by name, because a sandbox of a test never needs them. The number of files limits it.
var files sync.Map

// find returns the file with a name, or nil.
func find(name string) *file {
	if f, ok := files.Load(name); ok {
		return f.(*file)
	}
	raw, err := fs.ReadFile(dist, path.Join("dist", name))
	if err != nil || path.Clean(name) != name {
		if raw, err = fs.ReadFile(missing, name); err != nil {
			return nil
		}
	}
	f := newFile(name, raw)
	files.Store(name, f)
	return f
}

// hashed matches names that change with the content, as Vite makes them: "index-stDqHiBS.js".
var hashed = lazyregexp.New(`^assets/.+-[\w-]{8}\.\w+$`)

func newFile(name string, raw []byte) *file {
	sum := sha256.Sum256(raw)
	f := &file{name: name, raw: raw, tag: base64.RawURLEncoding.EncodeToString(sum[:12]), mime: typeOf(name), forever: hashed.MatchString(name)}
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	_, _ = z.Write(raw) // a buffer takes everything
	_ = z.Close()
	if zipped.Len() < len(raw)*9/10 {
		f.zipped = zipped.Bytes()
	}
	return f
}

// types are the types of the files that Vite writes; the system's table may have others. TestFiles finds a file without one.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	".json": "application/json", ".woff2": "font/woff2", ".png": "image/png", ".ico": "image/x-icon", ".wasm": "application/wasm",
	".webmanifest": "application/manifest+json", ".yaml": "application/yaml", ".txt": "text/plain; charset=utf-8",
}

func typeOf(name string) string {
	return cmp.Or(types[path.Ext(name)], "application/octet-stream")
}

// serve sends the file, compressed if the client takes that.
func (f *file) serve(w http.ResponseWriter, req *http.Request, status int) {
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("Cache-Control", "no-cache")
	if f.forever && status == http.StatusOK {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	body, tag := f.raw, `"`+f.tag+`"`
	if f.zipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if takesGzip(req.Header.Values("Accept-Encoding")) {
			h.Set("Content-Encoding", "gzip")
			body, tag = f.zipped, `"`+f.tag+`.gz"`
		}
	}
	if status == http.StatusOK {
		h.Set("ETag", tag)
		if matchesTag(req.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if req.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// matchesTag reports whether an If-None-Match has a tag, compared weakly (RFC 9110, section 13.1.2).
func matchesTag(values []string, tag string) bool {
	for _, part := range strings.Split(strings.Join(values, ","), ",") {
		if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}
