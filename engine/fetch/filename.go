package fetch

import (
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxFilename  = 255 // bytes in a file name on ext4, APFS, and NTFS
	maxExtension = 16
)

// filename returns the server's name for the file, else the last segment of the path, else "". It is a base name that is
// safe to show and to create a file with. Source: RFC 6266, section 4.3 (filename* before filename, only the last path
// segment).
func filename(h http.Header, u *url.URL) string {
	if _, params, err := mime.ParseMediaType(h.Get("Content-Disposition")); err == nil {
		if name := safeName(params["filename"]); name != "" { // ParseMediaType puts filename* here
			return name
		}
	}
	return safeName(u.Path)
}

// safeName keeps the last segment of a path. It removes control characters and those that change the direction of text,
// and replaces those that Windows refuses.
func safeName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsControl(r), unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp):
			return -1
		case strings.ContainsRune(`<>:"|?*`, r):
			return '_'
		}
		return r
	}, name)
	name = trimName(name)
	if len(name) <= maxFilename {
		return name
	}
	ext := path.Ext(name)
	if len(ext) > maxExtension {
		ext = ""
	}
	stem := name[:maxFilename-len(ext)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return trimName(stem) + ext
}

// trimName removes dots and spaces at both ends: they hide a file on Unix, and Windows drops them.
func trimName(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}
