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
	maxFilename  = 255 // bytes of a name on ext4, APFS and NTFS alike
	maxExtension = 16
)

// filename returns what the server calls the file, else the last part of the path; "" when there is neither. It is a base
// name that is safe to show and to make a file of. Source: RFC 6266 section 4.3 (filename* before filename, the last
// path segment only).
func filename(h http.Header, u *url.URL) string {
	if _, params, err := mime.ParseMediaType(h.Get("Content-Disposition")); err == nil {
		if name := safeName(params["filename"]); name != "" { // ParseMediaType puts filename* here
			return name
		}
	}
	return safeName(u.Path)
}

// safeName keeps the last segment of a path, without characters that steer a terminal or a text's direction, and replaces
// those that Windows refuses.
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

// trimName removes what hides a file or what Windows drops: dots and spaces at either end.
func trimName(name string) string {
	return strings.TrimFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}
