package formats

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// stlTable is a character code table of EBU Tech 3264.
type stlTable struct {
	number  string
	charmap *charmap.Charmap // nil for Latin, ISO 6937
}

// The code tables. Hebrew and Arabic can be read, but not written: decoders disagree on the order of their letters.
var (
	stlTables    = []stlTable{{"00", nil}, {"01", charmap.ISO8859_5}, {"02", charmap.ISO8859_6}, {"03", charmap.ISO8859_7}, {"04", charmap.ISO8859_8}}
	stlWriteable = []stlTable{stlTables[0], stlTables[1], stlTables[3]}
)

// stlLatin is the upper half of ISO 6937 as EBU Tech 3264 has it (appendix 2), from A1. A space means that there is no character, or that it is
// an accent, C1 to CF. No-break spaces (A0) and soft hyphens (FF) are read, but not written.
const stlLatin = "¡¢£$¥ §¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿" + "                " + "—¹®©™♪¬¦    ⅛⅜⅝⅞" + "ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉ" + "ĸæđðħıĳŀłøœßþŧŋ"

// stlAccents are the combining characters of the codes C1 to CF.
const stlAccents = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308 \u030a\u0327 \u030b\u0328\u030c"

var (
	stlLatinRunes, stlAccentRunes = []rune(stlLatin), []rune(stlAccents)
	stlCodes                      = stlCodesFrom(0xa1, stlLatinRunes, map[rune]rune{'―': '—', 'Ð': 'Đ'})  // drawn alike
	stlAccentCodes                = stlCodesFrom(0xc1, stlAccentRunes, map[rune]rune{'\u0326': '\u0327'}) // the comma below of Romanian
)

// stlCodesFrom returns the codes of characters, and of others that share one.
func stlCodesFrom(first byte, characters []rune, shared map[rune]rune) map[rune]byte {
	codes := map[rune]byte{}
	for i, r := range characters {
		if r != ' ' {
			codes[r] = first + byte(i)
		}
	}
	for r, same := range shared {
		codes[r] = codes[same]
	}
	return codes
}

// encode appends the code of a character: one byte, or an accent and a letter. It is false if the table lacks it.
func (t stlTable) encode(b []byte, r rune) ([]byte, bool) {
	if r >= ' ' && r <= '~' && (r != '$' || t.charmap != nil) {
		return append(b, byte(r)), true
	}
	if t.charmap != nil {
		c, ok := t.charmap.EncodeRune(r)
		return append(b, c), ok && c > 0xa0 && c != 0xad
	}
	if c, ok := stlCodes[r]; ok {
		return append(b, c), true
	}
	parts := []rune(norm.NFD.String(string(r)))
	if len(parts) == 2 && parts[0] <= 'z' {
		if c, ok := stlAccentCodes[parts[1]]; ok {
			return append(b, c, byte(parts[0])), true
		}
	}
	return b, false
}

// decode returns the text of a row without its control codes, which take the room of a space.
func (t stlTable) decode(row []byte) string {
	var b strings.Builder
	accent := rune(0)
	for _, c := range row {
		r := t.decodeByte(c)
		switch {
		case c >= 0x80 && c < 0xa0: // italics, underline, boxing
			continue
		case t.charmap == nil && c > 0xc0 && c <= 0xcf:
			accent = r
			continue
		}
		b.WriteRune(r)
		if accent > ' ' {
			b.WriteRune(accent)
		}
		accent = 0
	}
	return norm.NFC.String(b.String())
}

func (t stlTable) decodeByte(c byte) rune {
	switch {
	case c < ' ':
		return ' '
	case c < 0x7f:
		return rune(c)
	case c < 0xa0:
		return utf8.RuneError
	case t.charmap != nil:
		return t.charmap.DecodeByte(c)
	case c == 0xa0:
		return '\u00a0'
	case c == 0xff:
		return '\u00ad'
	case c > 0xc0 && c <= 0xcf:
		return stlAccentRunes[c-0xc1]
	}
	if r := stlLatinRunes[c-0xa1]; r != ' ' {
		return r
	}
	return utf8.RuneError
}
