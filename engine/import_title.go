package engine

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
)

// tidyTitle makes a title of a text from outside: valid UTF-8 in one line, at most maxTitle characters long.
func tidyTitle(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > maxTitle {
		s = strings.TrimSpace(string(runes[:maxTitle]))
	}
	return s
}

// fileTitle is the title that a file's name gives; "" when it gives none.
func fileTitle(name string) string {
	if name = baseName(name); strings.Trim(name, "/.") == "" {
		return ""
	}
	return tidyTitle(name)
}

// hostTitle is the title of a recording whose URL has nothing better.
func hostTitle(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "Import"
	}
	return cmp.Or(tidyTitle(u.Hostname()), "Import")
}
