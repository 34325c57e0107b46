package formats

import "golang.org/x/text/unicode/bidi"

// directed is text of one direction.
type directed struct {
	text string
	rtl  bool
}

// directions splits text where its direction changes. Neutral characters, such as spaces, digits and full stops, join the
// preceding part: word processors lay them out themselves.
func directions(text string, paragraph bool) []directed {
	if !paragraph && !hasRightToLeft(text) {
		return []directed{{text, false}}
	}
	var parts []directed
	start, rtl := 0, paragraph
	for i, r := range text {
		own, strong := strength(r)
		switch {
		case !strong || own == rtl:
		case i == 0:
			rtl = own
		default:
			parts = append(parts, directed{text[start:i], rtl})
			start, rtl = i, own
		}
	}
	return append(parts, directed{text[start:], rtl})
}

// startsRightToLeft reports whether the first letter of text is a right-to-left one (UAX #9, P2).
func startsRightToLeft(text string) bool {
	for _, r := range text {
		if rtl, strong := strength(r); strong {
			return rtl
		}
	}
	return false
}

func hasRightToLeft(text string) bool {
	const first = 0xd6 // byte of U+0590, before which no character is right-to-left
	i := 0
	for i < len(text) && text[i] < first {
		i++
	}
	for _, r := range text[i:] {
		if rtl, _ := strength(r); rtl {
			return true
		}
	}
	return false
}

// strength returns the direction of a character, and whether it has a strong one.
func strength(r rune) (rtl, strong bool) {
	if r < 0x590 {
		return false, r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0xbf
	}
	p, _ := bidi.LookupRune(r)
	switch p.Class() {
	case bidi.R, bidi.AL:
		return true, true
	case bidi.L:
		return false, true
	}
	return false, false
}
