package formats

import (
	"cmp"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// locale has what documents need to know about a language.
type locale struct {
	language transcript.Language
	tag      string // BCP 47 tag with the region that spelling checkers need
	script   script15924
	font     string // in Word, for scripts other than Latin, Greek and Cyrillic
}

// script15924 is the ISO 15924 code of a script.
type script15924 string

const (
	latin      script15924 = "Latn"
	cyrillic   script15924 = "Cyrl"
	devanagari script15924 = "Deva"
	hangul     script15924 = "Kore"
	kana       script15924 = "Jpan"
	hans       script15924 = "Hans"
)

var locales = []locale{
	{"en", "en-US", latin, ""},
	{"de", "de-DE", latin, ""},
	{"es", "es-ES", latin, ""},
	{"fr", "fr-FR", latin, ""},
	{"hi", "hi-IN", devanagari, "Nirmala UI"},
	{"id", "id-ID", latin, ""},
	{"it", "it-IT", latin, ""},
	{"ja", "ja-JP", kana, "Yu Gothic"},
	{"ko", "ko-KR", hangul, "Malgun Gothic"},
	{"nl", "nl-NL", latin, ""},
	{"no", "nb-NO", latin, ""},
	{"pl", "pl-PL", latin, ""},
	{"pt", "pt-PT", latin, ""},
	{"ru", "ru-RU", cyrillic, ""},
	{"sv", "sv-SE", latin, ""},
	{"tr", "tr-TR", latin, ""},
	{"uk", "uk-UA", cyrillic, ""},
	{"zh", "zh-CN", hans, "Microsoft YaHei"},
}

// localeOf returns the locale of a language. One that the service doesn't have gets its own tag, and an unknown one "und".
func localeOf(language transcript.Language) locale {
	for _, l := range locales {
		if l.language == language {
			return l
		}
	}
	known := Language(string(language)) // of a program that embeds this package, the tag can be any text
	return locale{language: language, tag: cmp.Or(string(known), "und"), script: scriptOf(known)}
}
