package formats

import (
	"strings"

	"golang.org/x/text/language"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Language returns the language that a file states: a BCP 47 tag ("ar", "pt-BR", "en_us"), a code of three letters ("deu"), or the English name
// that Whisper has for it ("arabic"). The languages of the service get their code, without a region; any other keeps its tag, in canonical
// form. Language returns "" for what is no language.
func Language(tag string) transcript.Language {
	if tag = strings.TrimSpace(tag); len(tag) > maxTag {
		return ""
	}
	if l := transcript.LanguageOfTag(tag); l != "" {
		return l
	}
	for _, l := range transcript.Languages() {
		if strings.EqualFold(tag, l.Name()) {
			return l
		}
	}
	if l, ok := whisperNames[strings.ToLower(tag)]; ok {
		return l
	}
	parsed, err := language.Parse(tag)
	base, sure := parsed.Base()
	if err != nil || sure != language.Exact {
		return ""
	}
	if l := transcript.LanguageOfTag(base.String()); l != "" { // "in" is an old tag of "id"
		return l
	}
	return transcript.Language(parsed.String())
}

// maxTag is the length of the longest tag that is kept. RFC 5646, 4.4.1, asks for at least 35.
const maxTag = 64

// whisperNames are the languages that Whisper names and the service doesn't have, or has under another name.
var whisperNames = map[string]transcript.Language{
	"afrikaans": "af", "albanian": "sq", "amharic": "am", "arabic": "ar", "armenian": "hy", "assamese": "as", "azerbaijani": "az",
	"bashkir": "ba", "basque": "eu", "belarusian": "be", "bengali": "bn", "bosnian": "bs", "breton": "br", "bulgarian": "bg",
	"cantonese": "yue", "catalan": "ca", "chinese": "zh", "croatian": "hr", "czech": "cs", "danish": "da", "estonian": "et",
	"faroese": "fo", "finnish": "fi", "galician": "gl", "georgian": "ka", "greek": "el", "gujarati": "gu", "haitian creole": "ht",
	"hausa": "ha", "hawaiian": "haw", "hebrew": "he", "hungarian": "hu", "icelandic": "is", "javanese": "jv", "kannada": "kn",
	"kazakh": "kk", "khmer": "km", "lao": "lo", "latin": "la", "latvian": "lv", "lingala": "ln", "lithuanian": "lt", "luxembourgish": "lb",
	"macedonian": "mk", "malagasy": "mg", "malay": "ms", "malayalam": "ml", "maltese": "mt", "mandarin": "zh", "maori": "mi",
	"marathi": "mr", "mongolian": "mn", "myanmar": "my", "nepali": "ne", "nynorsk": "no", "occitan": "oc", "pashto": "ps", "persian": "fa",
	"punjabi": "pa", "romanian": "ro", "sanskrit": "sa", "serbian": "sr", "shona": "sn", "sindhi": "sd", "sinhala": "si", "slovak": "sk",
	"slovenian": "sl", "somali": "so", "sundanese": "su", "swahili": "sw", "tagalog": "fil", "tajik": "tg", "tamil": "ta", "tatar": "tt",
	"telugu": "te", "thai": "th", "tibetan": "bo", "turkmen": "tk", "urdu": "ur", "uzbek": "uz", "vietnamese": "vi", "welsh": "cy",
	"yiddish": "yi", "yoruba": "yo",
}

// scriptOf returns the script of a language, or Latin if it is unknown.
func scriptOf(l transcript.Language) script15924 {
	if l == "" {
		return latin
	}
	script, _ := language.Make(string(l)).Script()
	return script15924(script.String())
}

// complex reports whether word processors have fonts and languages of their own for a script: those that are written from right to left, and
// those of South and South-East Asia.
func (s script15924) complex() bool {
	return s.rightToLeft() || strings.Contains(" Beng Deva Gujr Guru Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thai Tibt ", " "+string(s)+" ")
}

// rightToLeft reports whether a script is written from right to left.
func (s script15924) rightToLeft() bool {
	return strings.Contains(" Adlm Arab Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa ", " "+string(s)+" ")
}
