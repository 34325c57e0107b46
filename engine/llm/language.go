package llm

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ownNames maps each language to its own name for itself.
var ownNames = map[transcript.Language]string{
	"en": "English", "de": "Deutsch", "es": "español", "fr": "français", "hi": "हिन्दी", "id": "bahasa Indonesia", "it": "italiano", "ja": "日本語",
	"ko": "한국어", "nl": "Nederlands", "no": "norsk bokmål", "pl": "polski", "pt": "português", "ru": "русский", "sv": "svenska", "tr": "Türkçe",
	"uk": "українська", "zh": "简体中文",
}

// languageName returns the name of a supported language in English and in the language itself: "German (Deutsch)".
func languageName(l transcript.Language) string {
	if own := ownNames[l]; own != l.Name() {
		return l.Name() + " (" + own + ")"
	}
	return l.Name()
}

// languageOf returns the language to write in: the request's, else that of its passages, else the default.
func languageOf(req engine.WriteRequest) transcript.Language {
	if req.Language.Supported() {
		return req.Language
	}
	for _, p := range req.Passages {
		if p.Language.Supported() {
			return p.Language
		}
	}
	return transcript.DefaultLanguage
}
