package llm

import (
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ownNames is what each language calls itself.
var ownNames = map[transcript.Language]string{
	"en": "English", "de": "Deutsch", "es": "español", "fr": "français", "hi": "हिन्दी", "id": "bahasa Indonesia", "it": "italiano", "ja": "日本語",
	"ko": "한국어", "nl": "Nederlands", "no": "norsk bokmål", "pl": "polski", "pt": "português", "ru": "русский", "sv": "svenska", "tr": "Türkçe",
	"uk": "українська", "zh": "简体中文",
}

// named names a supported language in English and in itself: "German (Deutsch)".
func named(l transcript.Language) string {
	if own := ownNames[l]; own != l.Name() {
		return l.Name() + " (" + own + ")"
	}
	return l.Name()
}

// languageOf is the language in which a request is to be written: its own, else that of what it is written from, else the default.
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
