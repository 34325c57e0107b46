package input

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
)

// Title makes a title of a text from outside: valid UTF-8 in one line, at most MaxLine characters long.
func Title(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > MaxLine {
		s = strings.TrimSpace(string(runes[:MaxLine]))
	}
	return s
}

// FileTitle is the title that a file's name gives; "" when it gives none.
func FileTitle(name string) string {
	if name = FileName(name); strings.Trim(name, "/.") == "" {
		return ""
	}
	return Title(name)
}

// HostTitle is the title of a recording whose URL has nothing better.
func HostTitle(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "Import"
	}
	return cmp.Or(Title(u.Hostname()), "Import")
}
