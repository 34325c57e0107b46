package sqlite

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// realPath resolves links, so that a file has the same lock under all of its names.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if _, err := os.Lstat(abs); err == nil {
		real, err := filepath.EvalSymlinks(abs)
		return cmp.Or(real, abs), err // a dangling link is an error, because its lock would have another name than its target's
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return abs, err
	}
	return filepath.Join(folder, filepath.Base(abs)), nil
}

// dsn returns the URI of an existing file.
func dsn(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/…
	}
	return (&url.URL{Scheme: "file", Path: p, RawQuery: "mode=rw"}).String()
}
