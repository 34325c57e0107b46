package postgres

import (
	"strings"
	"unicode/utf8"
)

// storable returns a text without what PostgreSQL can't store: NUL, and bytes that aren't UTF-8, such as those of a damaged file's title in
// an error of ffmpeg. Each becomes U+FFFD. The engine refuses such bytes in what users write.
func storable(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// makeStorable makes every text of a statement's arguments storable.
func makeStorable(args []any) {
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			if kept := storable(v); kept != v {
				args[i] = kept
			}
		case []string:
			for j := range v {
				v[j] = storable(v[j])
			}
		}
	}
}
