package pdffile

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// Text returns a text string object (ISO 32000-1, 7.9.2.2): UTF-16 with a byte order mark, in hexadecimal.
func Text(s string) string { return "<FEFF" + Hex16(s) + ">" }

// TextBytes returns the bytes of a text string, for a library that writes them as a string object: ASCII, or UTF-16 with a byte
// order mark.
func TextBytes(s string) string {
	if isASCII(s) {
		return s
	}
	b := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return string(b)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

var stringEscaper = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", `\r`)

// String returns a string object of bytes (ISO 32000-1, 7.3.4.2).
func String(s string) string { return "(" + stringEscaper.Replace(s) + ")" }

// Hex16 returns text as UTF-16, big-endian, in hexadecimal.
func Hex16(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(digits[u>>12])
		b.WriteByte(digits[u>>8&15])
		b.WriteByte(digits[u>>4&15])
		b.WriteByte(digits[u&15])
	}
	return b.String()
}

// Date returns a date object (ISO 32000-1, 7.9.4).
func Date(t time.Time) string { return "(D:" + t.UTC().Format("20060102150405") + "Z)" }

// Ref returns a reference to an object.
func Ref(n int) string { return fmt.Sprintf("%d 0 R", n) }
