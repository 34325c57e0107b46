package assemblyai

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// ask is what a transcript is asked for with.
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
	maxTermWords  = 6    // of one term to boost
	maxWords      = 1000 // of all of them
	maxWordsOfTwo = 200  // of all of them for Universal-2
	maxSpeakers   = 10   // that may be expected
)

// earlier are models before Universal-2, which have a parameter each of their own for themselves and for boosted words.
var earlier = []string{"best", "nano", "universal"}

// newAsk says what a request asks for. ContextPrompt is not sent: some models take a prompt as an instruction, and none beside terms.
func newAsk(req engine.TranscribeRequest, models []string) ask {
	a := ask{SpeakerLabels: true, LanguageCode: string(req.Language), LanguageDetection: req.Language == ""}
	if req.SpeakersExpected > 0 && req.SpeakersExpected <= maxSpeakers {
		a.SpeakersExpected = req.SpeakersExpected
	}
	left := maxWords
	if len(models) == 0 || slices.Contains(models, "universal-2") { // the account's default may fall back to it
		left = maxWordsOfTwo
	}
	old := len(models) == 1 && slices.Contains(earlier, models[0])
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
