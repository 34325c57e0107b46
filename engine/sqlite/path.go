//go:build cgo

package sqlite

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// realPath follows links, so that a file has one lock under all of its names.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if _, err := os.Lstat(abs); err == nil {
		real, err := filepath.EvalSymlinks(abs)
		return cmp.Or(real, abs), err // a link to nowhere is an error: its lock would have another name than its target's
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return abs, err
	}
	return filepath.Join(folder, filepath.Base(abs)), nil
}

// dsn is the name of a connection. busy_timeout matters only while another program, such as a backup, has the file open.
func dsn(path string, o OpenOptions, readOnly bool) string {
	q := url.Values{
		"mode": {"rw"}, "_mutex": {"no"}, "_busy_timeout": {"5000"}, "_synchronous": {o.synchronous()}, "_cache_size": {"-8000"}, // KiB
	}
	if readOnly {
		q.Set("_query_only", "1")
	}
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/…
	}
	return (&url.URL{Scheme: "file", Path: p, RawQuery: q.Encode()}).String()
}
