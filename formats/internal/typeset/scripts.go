package typeset

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// script is a writing system: its name, font families that have it, best first, the Debian package of the first, and
// characters that any font for it has.
type script struct {
	name     string
	families []string
	debian   string
	samples  string
}

const (
	notoCore = "fonts-noto-core"
	notoCJK  = "fonts-noto-cjk"
)

var (
	simplified = script{"Chinese", []string{"Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei",
		"WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC", "Droid Sans Fallback"}, notoCJK, "的中"}
	japanese = script{"Japanese", []string{"Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans", "Source Han Sans JP", "IPAexGothic", "IPAGothic",
		"Yu Gothic", "Hiragino Sans", "Meiryo", "WenQuanYi Micro Hei"}, notoCJK, "のア"}
	korean = script{"Korean", []string{"Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans KR", "NanumGothic", "Malgun Gothic",
		"Apple SD Gothic Neo", "UnDotum", "WenQuanYi Micro Hei"}, notoCJK, "가한"}
	devanagari = script{"Devanagari", []string{"Noto Sans Devanagari", "Lohit Devanagari", "Nirmala UI", "Kohinoor Devanagari", "Mangal",
		"Noto Serif Devanagari"}, notoCore, "कष"}

	// symbols is used for characters without a script, and last for all others.
	symbols = script{"symbols", []string{"Noto Sans", "DejaVu Sans", "Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Math", "Noto Emoji",
		"Symbola", "Segoe UI Symbol", "Apple Symbols", "FreeSans"}, notoCore, ""}
)

// notoScripts are other scripts that have their own Noto Sans, with samples. Scripts that are neither here nor above have names alone.
var notoScripts = map[language.Script]struct{ name, samples string }{
	language.Arabic: {"Arabic", "ابت"}, language.Hebrew: {"Hebrew", "אב"}, language.Thai: {"Thai", "กข"}, language.Bengali: {"Bengali", "কখ"},
	language.Tamil: {"Tamil", "கச"}, language.Telugu: {"Telugu", "కఖ"}, language.Gujarati: {"Gujarati", "કખ"}, language.Gurmukhi: {"Gurmukhi", "ਕਖ"},
	language.Kannada: {"Kannada", "ಕಖ"}, language.Malayalam: {"Malayalam", "കഖ"}, language.Oriya: {"Oriya", "କଖ"}, language.Sinhala: {"Sinhala", "කඛ"},
	language.Georgian: {"Georgian", "აბ"}, language.Armenian: {"Armenian", "աբ"}, language.Ethiopic: {"Ethiopic", "ሀለ"},
	language.Khmer: {"Khmer", "កខ"}, language.Lao: {"Lao", "ກຂ"}, language.Myanmar: {"Myanmar", "ကခ"}, language.Cherokee: {"Cherokee", "ᎠᎡ"},
	language.Mongolian: {"Mongolian", "ᠠᠡ"}, language.Syriac: {"Syriac", "ܐܒ"}, language.Thaana: {"Thaana", "ހށ"},
}

// scriptOf returns the script of a character in a language. Han and East Asian punctuation are Chinese unless the language
// is Japanese or Korean.
func scriptOf(r rune, lang string) script {
	switch s := language.LookupScript(r); s {
	case language.Hangul:
		return korean
	case language.Hiragana, language.Katakana:
		return japanese
	case language.Devanagari:
		return devanagari
	case language.Han, language.Bopomofo:
		return eastAsian(lang)
	case language.Latin, language.Greek, language.Cyrillic:
		return script{s.String(), symbols.families, notoCore, "a"}
	case language.Common, language.Inherited, language.Unknown:
		if r >= 0x3000 && r <= 0x30ff || r >= 0xff00 && r <= 0xffef || isEastAsianPunctuation(r) && (lang == "zh" || lang == "ja") {
			return eastAsian(lang)
		}
		if r == 0x0964 || r == 0x0965 {
			return devanagari // danda
		}
		return symbols
	default:
		name := notoScripts[s].name
		if name == "" {
			name = scriptName(r)
		}
		return script{name, append([]string{"Noto Sans " + name, "Noto Serif " + name}, symbols.families...), notoCore, notoScripts[s].samples}
	}
}

// scriptName returns the English name of a character's script, such as "Old Italic". Noto's families have the same names.
func scriptName(r rune) string {
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return fmt.Sprintf("%q", language.LookupScript(r)) // newer than Go's tables
}

func eastAsian(lang string) script {
	switch lang {
	case "ja":
		return japanese
	case "ko":
		return korean
	}
	return simplified
}

func samples(s script) []rune { return []rune(s.samples) }

// isSymbol reports whether a character belongs to no script. A missing symbol doesn't fail the document.
func isSymbol(r rune) bool {
	switch language.LookupScript(r) {
	case language.Common, language.Inherited, language.Unknown:
		return !(r >= 0x3000 && r <= 0x30ff || r >= 0xff00 && r <= 0xffef)
	}
	return false
}

// isIgnorable reports whether a character is invisible: joiners, variation selectors, direction marks.
func isIgnorable(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == 0x034f || r >= 0xe0000 && r <= 0xe0fff
}
