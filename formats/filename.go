package formats

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"golang.org/x/text/unicode/norm"
)

const (
	defaultFileName = "transcript"
	maxFileName     = 150 // most bytes of the title: leaves room for extensions within the 255 bytes of common file systems
)

// FileName returns a file name for any title: without separators and characters that Windows, macOS or Linux reject, not
// hidden, never empty. extension includes the dot.
func FileName(title, extension string) string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || unicode.Is(unicode.Bidi_Control, r) {
			return '-'
		}
		return r
	}, captions.CleanText(title))
	name = strings.Trim(shorten(name, maxFileName), " .-")
	if name == "" || isDeviceName(name) {
		name = strings.TrimSuffix(defaultFileName+"-"+name, "-")
	}
	return name + extension
}

// shorten cuts s to at most n bytes at a character boundary.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// isDeviceName reports whether Windows treats the name as a device, whatever its extension.
func isDeviceName(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '0' && stem[3] <= '9'
}

// ContentDisposition returns a Content-Disposition header (RFC 6266) that makes a browser save the file under its title: an
// ASCII name for old clients, and the full name in UTF-8 (RFC 8187).
func ContentDisposition(title, extension string) string {
	name := FileName(title, extension)
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, asciiName(name, extension), percentEncode(name))
}

// asciiName removes accents from letters and replaces other non-ASCII characters by '_'. If no letter or digit remains, it
// returns the default name.
func asciiName(name, extension string) string {
	kept := false
	ascii := strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r > unicode.MaxASCII || r == '%':
			return '_'
		}
		kept = kept || unicode.IsLetter(r) || unicode.IsDigit(r)
		return r
	}, norm.NFD.String(strings.TrimSuffix(name, extension)))
	if !kept {
		return defaultFileName + extension
	}
	return ascii + extension
}

// percentEncode encodes every byte except the attr-char of RFC 8187.
func percentEncode(s string) string {
	const attr = "!#$&+-.^_`|~"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < utf8.RuneSelf && (unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)) || strings.IndexByte(attr, c) >= 0) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
