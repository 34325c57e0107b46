package assemblyai

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// ask is the JSON of a request for a transcript.
type ask struct {
	AudioURL          string     `json:"audio_url,omitempty"`
	SpeechModels      []string   `json:"speech_models,omitempty"`
	SpeechModel       string     `json:"speech_model,omitempty"`
	LanguageCode      string     `json:"language_code,omitempty"`
	LanguageDetection bool       `json:"language_detection,omitempty"`
	SpeakerLabels     bool       `json:"speaker_labels"`
	SpeakersExpected  int        `json:"speakers_expected,omitempty"`
	KeytermsPrompt    []string   `json:"keyterms_prompt,omitempty"`
	WordBoost         []string   `json:"word_boost,omitempty"`
	CustomSpelling    []spelling `json:"custom_spelling,omitempty"`
}

type spelling struct {
	From []string `json:"from"`
	To   string   `json:"to"`
}

const (
	maxTermWords  = 6    // words in one boosted term
	maxWords      = 1000 // words in all terms
	maxWordsOfTwo = 200  // words in all terms, for Universal-2
	maxSpeakers   = 10   // limit of speakers_expected
)

// beforeUniversal2 lists the models before Universal-2, which use other parameters for the model and for boosted words.
var beforeUniversal2 = []string{"best", "nano", "universal"}

// newAsk converts a request. It doesn't send ContextPrompt: some models treat a prompt as an instruction, and none accepts it with terms.
func newAsk(req engine.TranscribeRequest, models []string) ask {
	a := ask{SpeakerLabels: true, LanguageCode: string(req.Language), LanguageDetection: req.Language == ""}
	if req.SpeakersExpected > 0 && req.SpeakersExpected <= maxSpeakers {
		a.SpeakersExpected = req.SpeakersExpected
	}
	left := maxWords
	if len(models) == 0 || slices.Contains(models, "universal-2") { // the account's default may fall back to universal-2
		left = maxWordsOfTwo
	}
	old := len(models) == 1 && slices.Contains(beforeUniversal2, models[0])
	if old {
		left = maxWords
	}
	terms := speech.Terms(req.BoostedWords, maxTermWords, func(term string) bool {
		left -= len(strings.Fields(term))
		return left >= 0
	})
	if old {
		a.SpeechModel, a.WordBoost = models[0], terms
	} else {
		a.SpeechModels, a.KeytermsPrompt = models, terms
	}
	for _, s := range speech.Spellings(req.Spellings) {
		a.CustomSpelling = append(a.CustomSpelling, spelling{From: s.From, To: s.To})
	}
	return a
}
