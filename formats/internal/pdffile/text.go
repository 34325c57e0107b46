package pdffile

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// Text writes a text string object (7.9.2.2): in UTF-16 with its mark, as hexadecimal.
func Text(s string) string { return "<FEFF" + Hex16(s) + ">" }

// Hex16 writes text as the hexadecimal of its UTF-16, big-endian.
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

// Date writes a date object (7.9.4).
func Date(t time.Time) string { return "(D:" + t.UTC().Format("20060102150405") + "Z)" }

// Ref writes a reference to an object.
func Ref(n int) string { return fmt.Sprintf("%d 0 R", n) }
