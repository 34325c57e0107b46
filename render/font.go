package render

import (
	"unicode"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// font is a Noto family; Debian has all of them in fonts-noto-core and fonts-noto-cjk. libass sizes a font by its
// usWinAscent + usWinDescent, so the same Fontsize gives letters of different sizes; scale corrects that.
type font struct {
	family string
	scale  float64 // factor of the font size that makes letters as large as those of Noto Sans
	width  float64 // width of a typical letter, in ems
}

// notoSans is the font for Latin, Greek and Cyrillic. Its usWinAscent + usWinDescent is 1.362 em.
var notoSans = font{"Noto Sans", 1, 0.66}

// emsPerSize is the size of an em at Fontsize 1.
const emsPerSize = 1 / 1.362

// fonts are the fonts of the other scripts. width is the mean width of the bold letters, rounded up. scale is the font's
// usWinAscent + usWinDescent divided by that of Noto Sans. Arabic is smaller so that lines stay close.
var fonts = []struct {
	script *unicode.RangeTable
	font   font
}{
	{unicode.Devanagari, font{"Noto Sans Devanagari", 0.96, 0.73}},
	{unicode.Arabic, font{"Noto Sans Arabic", 1.3, 0.74}},
	{unicode.Hebrew, font{"Noto Sans Hebrew", 1, 0.6}},
	{unicode.Thai, font{"Noto Sans Thai", 1.11, 0.65}},
	{unicode.Bengali, font{"Noto Sans Bengali", 0.97, 0.73}},
	{unicode.Tamil, font{"Noto Sans Tamil", 0.91, 0.98}},
	{unicode.Telugu, font{"Noto Sans Telugu", 1, 0.85}},
	{unicode.Gujarati, font{"Noto Sans Gujarati", 0.96, 0.74}},
	{unicode.Gurmukhi, font{"Noto Sans Gurmukhi", 0.96, 0.68}},
	{unicode.Kannada, font{"Noto Sans Kannada", 1, 0.9}},
	{unicode.Malayalam, font{"Noto Sans Malayalam", 0.92, 1.18}},
	{unicode.Sinhala, font{"Noto Sans Sinhala", 0.96, 0.95}},
	{unicode.Georgian, font{"Noto Sans Georgian", 1, 0.69}},
	{unicode.Armenian, font{"Noto Sans Armenian", 1, 0.66}},
	{unicode.Khmer, font{"Noto Sans Khmer", 1, 0.76}},
	{unicode.Lao, font{"Noto Sans Lao", 1.2, 0.58}},
	{unicode.Myanmar, font{"Noto Sans Myanmar", 1.3, 0.86}},
	{unicode.Ethiopic, font{"Noto Sans Ethiopic", 1, 0.8}},
}

// cjk returns the font for Chinese characters, kana and Hangul: their shapes depend on the language.
func cjk(language transcript.Language) font {
	region := "SC"
	switch language {
	case "ja":
		region = "JP"
	case "ko":
		region = "KR"
	}
	return font{"Noto Sans CJK " + region, 1.06, 1}
}

// fontOf returns the font for a code point. ok is false for code points that any font may show: digits, punctuation, marks.
func fontOf(r rune, language transcript.Language) (f font, ok bool) {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo),
		r >= 0x3000 && r <= 0x303f, r >= 0xff00 && r <= 0xffef, r == 'ー':
		return cjk(language), true
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic):
		return notoSans, true
	case r < 0x530:
		return notoSans, false
	}
	for _, row := range fonts {
		if unicode.Is(row.script, r) {
			return row.font, true
		}
	}
	return notoSans, false
}

// baseFont returns the font of a language's main script.
func baseFont(language transcript.Language) font {
	switch language {
	case "ja", "ko", "zh":
		return cjk(language)
	case "hi":
		f, _ := fontOf('क', language)
		return f
	}
	return notoSans
}

// run is a piece of text in one font.
type run struct {
	text string
	font font
}

// fontRuns splits text where its font changes. Code points that any font may show join the run before them, or the first run
// at the beginning.
func fontRuns(text string, language transcript.Language) []run {
	var runs []run
	base := baseFont(language)
	start, current, known := 0, base, false
	for i, r := range text {
		f, ok := fontOf(r, language)
		if f == notoSans && base == cjk(language) {
			f = base // the CJK font has these letters, and one font in a line looks better than two
		}
		if !ok || f == current {
			known = known || ok
			continue
		}
		if known && i > start {
			runs = append(runs, run{text[start:i], current})
			start = i
		}
		current, known = f, true
	}
	return append(runs, run{text[start:], current})
}

// asciiWidths are the widths of Noto Sans Bold's letters from the space to the tilde, in 1/100 em.
var asciiWidths = [...]float64{
	26, 29, 47, 65, 57, 90, 75, 27, 34, 34, 55, 57, 29, 32, 29, 41, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57, 29, 29, 57, 57, 57, 48,
	90, 69, 67, 64, 74, 56, 55, 72, 77, 39, 33, 66, 57, 94, 81, 80, 63, 80, 66, 55, 58, 76, 65, 97, 67, 62, 58, 33, 41, 33, 57, 41,
	36, 60, 63, 51, 63, 59, 39, 63, 66, 31, 31, 62, 31, 98, 66, 62, 63, 63, 45, 50, 43, 66, 57, 86, 58, 57, 49, 39, 55, 39, 57,
}

// textWidth estimates the width of text in ems. It errs on the wide side.
func textWidth(text string) float64 {
	ems := 0.0
	for _, r := range text {
		switch f, ok := fontOf(r, ""); {
		case r >= ' ' && int(r-' ') < len(asciiWidths):
			ems += asciiWidths[r-' '] / 100
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case f == notoSans && unicode.IsUpper(r):
			ems += 0.78
		case !ok && r >= 0x2000:
			ems++ // a symbol
		default:
			ems += f.width
		}
	}
	return ems
}
