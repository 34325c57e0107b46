package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Language recognises all the names that servers use.
func TestLanguage(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]transcript.Language{
		"english": "en", "English": "en", " en-US ": "en", "en_us": "en", "eng": "en", "deu": "de", "nb": "no", "nn-NO": "no", "nynorsk": "no",
		"cmn-Hans-CN": "zh", "mandarin": "zh", "cantonese": "zh", "zh-TW": "zh", "castilian": "es", "flemish": "nl", "japanese": "ja",
		"": "", "klingon": "", "xx": "", "-": "", "welsh": "",
	} {
		require.Equal(t, want, speech.Language(told), told)
	}
	for _, l := range transcript.Languages() {
		require.Equal(t, l, speech.Language(string(l)))
	}
}

// Guess recognises a language by its script or its most common words.
func TestGuess(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]transcript.Language{
		"The answer was that you are not alone in this.":      "en",
		"Das ist nicht der Weg, den ich mit dir gehe.":        "de",
		"El perro y los gatos están muy bien, pero como una…": "es",
		"C'est pas dans les livres que nous lisons.":          "fr",
		"Ini yang kita cari, dan itu tidak ada di sini.":      "id",
		"Non è una cosa che gli piace, di per sé.":            "it",
		"Ik heb het niet gezien, maar zijn broer ook.":        "nl",
		"Jeg er ikke til salgs, og det har vi av og til.":     "no",
		"Nie wiem, co się stało i jak to jest, ale że z na":   "pl",
		"Você não é muito mais do que isso, mas os outros":    "pt",
		"Jag är inte här, och det har vi inte.":               "sv",
		"Ben çok iyi bir insan değil, ama ne var":             "tr",
		"Это не так.":                                         "ru",
		"Це її дім.":                                          "uk",
		"यह एक परीक्षा है।":                                   "hi",
		"안녕하세요":                                               "ko",
		"今日は天気です":                                             "ja",
		"今天天气很好":                                              "zh",
		"42 …":                                                "",
		"Xyzzy plugh":                                         "",
		"":                                                    "",
	} {
		require.Equal(t, want, speech.Guess(text), text)
	}
}
