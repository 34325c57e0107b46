package prose

import "unicode"

// IsSpoken reports whether a character is spoken: a letter or a number.
func IsSpoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// IsOpening reports whether a character is an opening bracket or quotation mark.
func IsOpening(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pi) }

// IsClosing reports whether a character may follow the final punctuation of its sentence: a closing bracket, a quotation mark, or a
// no-break space.
func IsClosing(r rune) bool {
	return r == '"' || r == '\'' || r == '\u00a0' || unicode.In(r, unicode.Pe, unicode.Pf)
}
