package speech

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// names are what servers call the languages that Whisper knows by name, where a code of ours stands for them.
var names = map[string]transcript.Language{
	"english": "en", "german": "de", "spanish": "es", "castilian": "es", "french": "fr", "hindi": "hi", "indonesian": "id", "italian": "it",
	"japanese": "ja", "korean": "ko", "dutch": "nl", "flemish": "nl", "norwegian": "no", "norwegian nynorsk": "no", "nynorsk": "no",
	"polish": "pl", "portuguese": "pt", "russian": "ru", "swedish": "sv", "turkish": "tr", "ukrainian": "uk", "chinese": "zh",
	"mandarin": "zh", "cantonese": "zh", "yue": "zh",
}

// Language is the language that a server means, by its name or tag: "english", "en-US", "en_us"; "" for one that isn't supported.
func Language(told string) transcript.Language {
	told = strings.ToLower(strings.TrimSpace(told))
	if l, ok := names[told]; ok {
		return l
	}
	return transcript.LanguageOfTag(told)
}
