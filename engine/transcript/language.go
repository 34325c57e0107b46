package transcript

import "strings"

// Language is one of the supported language codes (specification, "Supported language codes"), or "" for unknown. The transcript of a file can
// have the BCP 47 tag of any other language, such as "ar", for which the rules of an unknown one apply. The engine never stores such a tag.
type Language string

// DefaultLanguage is the language of spaces and requests that set none.
const DefaultLanguage Language = "en"

// languages lists the supported languages: code, English name, and other tags that media files and backends use. The tags are from ISO
// 639-2/B and /T and ISO 639-3, and include the written standards of Norwegian and Chinese.
var languages = []struct {
	code Language
	name string
	tags string
}{
	{"en", "English", "eng"},
	{"de", "German", "deu ger"},
	{"es", "Spanish", "spa"},
	{"fr", "French", "fra fre"},
	{"hi", "Hindi", "hin"},
	{"id", "Indonesian", "ind"},
	{"it", "Italian", "ita"},
	{"ja", "Japanese", "jpn"},
	{"ko", "Korean", "kor"},
	{"nl", "Dutch", "nld dut"},
	{"no", "Norwegian", "nor nb nob nn nno"},
	{"pl", "Polish", "pol"},
	{"pt", "Portuguese", "por"},
	{"ru", "Russian", "rus"},
	{"sv", "Swedish", "swe"},
	{"tr", "Turkish", "tur"},
	{"uk", "Ukrainian", "ukr"},
	{"zh", "Mandarin (Simplified)", "zho chi cmn"},
}

// Languages returns the codes of all supported languages, in the order of the specification.
func Languages() []Language {
	codes := make([]Language, len(languages))
	for i, l := range languages {
		codes[i] = l.code
	}
	return codes
}

// Supported reports whether l is a supported code. Codes are lower-case.
func (l Language) Supported() bool { return l.Name() != "" }

// Name returns the language's English name, or "" when the code is not supported.
func (l Language) Name() string {
	for _, row := range languages {
		if row.code == l {
			return row.name
		}
	}
	return ""
}

// Spaced reports whether the language puts spaces between words. Chinese and Japanese don't.
func (l Language) Spaced() bool { return l != "zh" && l != "ja" }

// LanguageOfTag returns the supported code for a tag of a media file or a backend ("eng", "pt-BR", "cmn-Hans-CN"), or "".
func LanguageOfTag(tag string) Language {
	primary, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
	if primary == "" {
		return ""
	}
	for _, row := range languages {
		if string(row.code) == primary {
			return row.code
		}
		for _, t := range strings.Fields(row.tags) {
			if t == primary {
				return row.code
			}
		}
	}
	return ""
}
