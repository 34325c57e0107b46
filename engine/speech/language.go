package speech

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// names maps Whisper's names of languages to supported codes.
var names = map[string]transcript.Language{
	"english": "en", "german": "de", "spanish": "es", "castilian": "es", "french": "fr", "hindi": "hi", "indonesian": "id", "italian": "it",
	"japanese": "ja", "korean": "ko", "dutch": "nl", "flemish": "nl", "norwegian": "no", "norwegian nynorsk": "no", "nynorsk": "no",
	"polish": "pl", "portuguese": "pt", "russian": "ru", "swedish": "sv", "turkish": "tr", "ukrainian": "uk", "chinese": "zh",
	"mandarin": "zh", "cantonese": "zh", "yue": "zh",
}

// Language converts a server's name or tag of a language: "english", "en-US", "en_us". It returns "" for an unsupported language.
func Language(told string) transcript.Language {
	told = strings.ToLower(strings.TrimSpace(told))
	if l, ok := names[told]; ok {
		return l
	}
	return transcript.LanguageOfTag(told)
}
