package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// bases maps letters to what people type for them: each entry has the written form, then all lower-case letters that become it.
var bases = []string{
	"a áàâäãåāăąǎǻảạấầẩẫậắằẳẵặȧǟǡȁȃḁ", "ae æǽǣ", "b ḃḅḇ", "c çćĉċčḉ", "d ďđḋḍðḏḑḓ", "e éèêëēĕėęěẻẽẹếềểễệȅȇȩḕḗḙḛḝ", "f ḟ",
	"g ĝğġģǧǵḡ", "h ĥħḣḥȟḧḩḫẖ", "i íìîïĩīĭįıǐỉịȉȋḭḯ", "ij ĳ", "j ĵǰ", "k ķǩḳḱḵ", "l ĺļľŀłḷḹḻḽ", "m ṁṃḿ", "n ñńņňŉǹṅṇṉṋ",
	"o óòôöõøōŏőǒǿơỏọốồổỗộớờởỡợǫǭȍȏȫȭȯȱṍṏṑṓ", "oe œ", "p ṗṕ", "r ŕŗřṛȑȓṙṝṟ", "s śŝşšșṡṣṥṧṩẛ", "ss ß", "t ţťŧțṫṭṯṱẗ", "th þ",
	"u úùûüũūŭůűųưǔủụứừửữựǖǘǚǜȕȗṳṵṷṹṻ", "v ṽṿ", "w ŵẁẃẅẇẉẘ", "x ẋẍ", "y ýÿŷỳỷỹỵȳẏẙ", "z źżžẓẑẕ",
	"ff ﬀ", "fi ﬁ", "fl ﬂ", "ffi ﬃ", "ffl ﬄ", "st ﬅﬆ",
	"а ӑӓ", "г ѓґ", "е ёѐӗ", "и йѝӣӥ", "і ї", "к ќ", "о ӧ", "у ўӯӱӳ", "ж ӂӝ", "з ӟ", "ч ӵ", "ы ӹ", "э ӭ", "α ά", "ε έ", "η ή",
	"ι ίϊΐ", "ο ό", "υ ύϋΰ", "ω ώ", "ʒ ǯ", "ѵ ѷ", "ә ӛ", "ө ӫ",
	"\u0915 \u0958", "\u0916 \u0959", "\u0917 \u095a", "\u091c \u095b", "\u0921 \u095c", "\u0922 \u095d", "\u092b \u095e",
	"\u092f \u095f", "\u0928 \u0929", "\u0930 \u0931", "\u0933 \u0934", // Devanagari with a nukta, which many people omit
	"\u0627 \u0622\u0623\u0625\u0671", "\u0648 \u0624", "\u064a \u0626\u0649", // Arabic with hamza or madda, which many people omit
}

const nukta = '\u093c'

// halfWidthKana are the characters from U+FF66, and then the marks of voiced and half-voiced kana.
var halfWidthKana = []rune("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a")

// fullWidth returns the usual form of half-width katakana, and other characters unchanged.
func fullWidth(r rune) rune {
	if i := int(r - 0xff66); 0 <= i && i < len(halfWidthKana) {
		return halfWidthKana[i]
	}
	return r
}

// isPoint reports whether a character is a vowel or other mark of Arabic or Hebrew, which most people omit, or lengthens an Arabic word.
func isPoint(r rune) bool {
	switch {
	case r < 0x591 || r > 0x670:
		return false
	case r == '\u0640':
		return true
	}
	return unicode.Is(unicode.Mn, r) && (r <= 0x5c7 || r >= 0x64b)
}

// letterBases is bases by letter.
var letterBases = func() map[rune]string {
	m := map[rune]string{}
	for _, row := range bases {
		base, letters, _ := strings.Cut(row, " ")
		for _, r := range letters {
			m[r] = base
		}
	}
	return m
}()

// earlyLetters caches appendBase for the first scripts of Unicode, Latin to Cyrillic.
var earlyLetters = func() (table [0x530]string) {
	for r := range rune(len(table)) {
		table[r] = string(appendBase(nil, r))
	}
	return table
}()

// appendLetter appends a letter, digit, or mark as search compares it: in one case and without the marks of bases. The Turkish
// dotted and dotless i are equal, because many keyboards have only one. It appends nothing for an omitted combining mark and for
// other characters.
func appendLetter(b []byte, r rune) []byte {
	switch {
	case r < rune(len(earlyLetters)):
		return append(b, earlyLetters[r]...)
	case r == nukta:
		return b
	case transcript.IsIdeographic(r):
		return utf8.AppendRune(b, r)
	}
	return appendBase(b, r)
}

func appendBase(b []byte, r rune) []byte {
	switch {
	case r >= 0x300 && r <= 0x36f || !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
		return b
	case r >= 0xff01 && r <= 0xff5e: // full-width forms of ASCII
		r -= 0xff01 - '!'
	case r >= 0x966 && r <= 0x96f: // Devanagari digits
		r -= 0x966 - '0'
	}
	if r = unicode.ToLower(transcript.FoldRune(r)); r == '\u0345' {
		r = 'ι' // its smallest case folding is a combining mark
	}
	if base, ok := letterBases[r]; ok {
		return append(b, base...)
	}
	return utf8.AppendRune(b, r)
}

// joinIdeographs composes two characters into one: Korean jamo into syllables, and Japanese kana with voicing marks. Some systems
// decompose file names. Source: The Unicode Standard, section 3.12.
func joinIdeographs(a, b rune) (rune, bool) {
	const syllables, leads, vowels, tails = 0xac00, 0x1100, 0x1161, 0x11a7
	switch {
	case a >= leads && a < leads+19 && b >= vowels && b < vowels+21:
		return syllables + ((a-leads)*21+b-vowels)*28, true
	case a >= syllables && a < syllables+11172 && (a-syllables)%28 == 0 && b > tails && b < tails+28:
		return a + b - tails, true
	case b == '\u3099' && (a == 'う' || a == 'ウ'):
		return a + 'ゔ' - 'う', true
	case b == '\u3099' && a == '\u30ef', b == '\u3099' && a >= '\u30f0' && a <= '\u30f2':
		return a + 8, true
	case b == '\u3099' && strings.ContainsRune("かきくけこさしすせそたちつてとはひふへほカキクケコサシスセソタチツテトハヒフヘホゝヽ", a):
		return a + 1, true
	case b == '\u309a' && strings.ContainsRune("はひふへほハヒフヘホ", a):
		return a + 2, true
	}
	return a, false
}
