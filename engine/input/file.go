package input

import (
	"net/url"
	"path"
	"strings"
)

// FileName is the file name without folders of any system.
func FileName(name string) string {
	return path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
}

// URLFile is the last part of the path of a URL, "" when there is none.
func URLFile(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.Trim(path.Base("/"+u.Path), "/")
}
