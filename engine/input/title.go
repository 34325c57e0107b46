package input

import (
	"cmp"
	"net/url"
	"strings"
	"unicode"
)

// Title returns any text as a title: valid UTF-8 in one line of at most MaxLine characters.
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

// FileTitle returns the title for a file name, or "" when it has no name.
func FileTitle(name string) string {
	if name = FileName(name); strings.Trim(name, "/.") == "" {
		return ""
	}
	return Title(name)
}

// HostTitle returns the title for a recording whose URL gives no better one: the host, or "Import".
func HostTitle(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "Import"
	}
	return cmp.Or(Title(u.Hostname()), "Import")
}
