package command

import (
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// whisper is the JSON of openai-whisper, faster-whisper, and WhisperX, and the verbose JSON of OpenAI's API, whose words are outside the
// segments. Times are seconds.
type whisper struct {
	Language string        `json:"language"` // "en", "english"
	Text     string        `json:"text"`
	Words    []whisperWord `json:"words"`
	Segments []struct {
		Start   speech.InSeconds `json:"start"`
		End     speech.InSeconds `json:"end"`
		Text    string           `json:"text"`
		Speaker string           `json:"speaker"` // WhisperX: "SPEAKER_00"
		Words   []whisperWord    `json:"words"`
	} `json:"segments"`
}

type whisperWord struct {
	Word        string            `json:"word"`
	Start       speech.InSeconds  `json:"start"` // WhisperX omits the times of words that it can't align
	End         speech.InSeconds  `json:"end"`
	Score       speech.Confidence `json:"score"`       // WhisperX
	Probability speech.Confidence `json:"probability"` // the others
	Speaker     string            `json:"speaker"`
}

func readWhisper(b []byte) (result, error) {
	var w whisper
	if err := backend.Decode(b, &w); err != nil {
		return result{}, err
	}
	h := result{language: w.Language}
	language := speech.Language(w.Language)
	if len(w.Words) > 0 {
		h.segments = []speech.Segment{{Words: whisperWords(w.Words, language)}}
		return h, nil
	}
	for _, s := range w.Segments {
		h.segments = append(h.segments, withSingleWord(speech.Segment{
			Text: s.Text, Start: s.Start.Time, End: s.End.Time, Speaker: s.Speaker, Words: whisperWords(s.Words, language),
		}))
	}
	if len(h.segments) == 0 {
		h.segments = []speech.Segment{{Text: w.Text}}
	}
	return h, nil
}

// whisperWords converts words. If any of them begins with a space, they are pieces of words, which it joins.
func whisperWords(in []whisperWord, language transcript.Language) []speech.Word {
	words := make([]speech.Word, len(in))
	for i, w := range in {
		words[i] = speech.Word{Text: w.Word, Start: w.Start.Time, End: w.End.Time, Confidence: w.Score, Speaker: w.Speaker}
		if w.Probability.Known {
			words[i].Confidence = w.Probability
		}
	}
	if slices.ContainsFunc(words, func(w speech.Word) bool { return strings.HasPrefix(w.Text, " ") }) {
		return joinPieces(words, language)
	}
	return words
}
