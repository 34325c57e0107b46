package prose

import "unicode"

// Sounds reports whether a character is said: a letter or a number.
func Sounds(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Opens reports whether a character is an opening bracket or quotation mark.
func Opens(r rune) bool { return unicode.In(r, unicode.Ps, unicode.Pi) }

// Closes reports whether a character may stand behind the mark at the end of a sentence that it belongs to: a closing bracket, a
// quotation mark, or a no-break space.
func Closes(r rune) bool {
	return r == '"' || r == '\'' || r == '\u00a0' || unicode.In(r, unicode.Pe, unicode.Pf)
}
