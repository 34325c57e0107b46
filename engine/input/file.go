package input

import (
	"net/url"
	"path"
	"strings"
)

// FileName returns the file name without folders, for paths of any system.
func FileName(name string) string {
	return path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
}

// URLFile returns the last part of a URL's path, or "".
func URLFile(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.Trim(path.Base("/"+u.Path), "/")
}
