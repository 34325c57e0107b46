package assemblyai

import (
	"errors"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// transcript is the server's JSON of a transcript. Its status decides which fields are set.
type transcript struct {
	ID           string      `json:"id"`
	Status       string      `json:"status"` // "queued", "processing", "completed", "error"
	Error        string      `json:"error"`
	LanguageCode string      `json:"language_code"` // "en", "en_us"
	Text         string      `json:"text"`
	Words        []word      `json:"words"`
	Utterances   []utterance `json:"utterances"`
}

type word struct {
	Text       string                `json:"text"`
	Start      speech.InMilliseconds `json:"start"`
	End        speech.InMilliseconds `json:"end"`
	Confidence speech.Confidence     `json:"confidence"`
	Speaker    string                `json:"speaker"` // "A"; "" without speaker labels
}

type utterance struct {
	Text    string                `json:"text"`
	Start   speech.InMilliseconds `json:"start"`
	End     speech.InMilliseconds `json:"end"`
	Speaker string                `json:"speaker"`
	Words   []word                `json:"words"`
}

// transcription converts a completed transcript.
func (t transcript) transcription(req engine.TranscribeRequest) engine.Transcription {
	language := req.Language
	if language == "" {
		language = speech.Language(t.LanguageCode)
	}
	return engine.Transcription{Language: language, Words: speech.Words(t.segments(), language, req.Info.Duration)}
}

// segments returns the words, or the text if the server returned nothing else.
func (t transcript) segments() []speech.Segment {
	if len(t.Words) > 0 || len(t.Utterances) == 0 {
		return []speech.Segment{{Text: t.Text, Words: spoken(t.Words)}}
	}
	segments := make([]speech.Segment, len(t.Utterances))
	for i, u := range t.Utterances {
		segments[i] = speech.Segment{Text: u.Text, Start: u.Start.Time, End: u.End.Time, Speaker: u.Speaker, Words: spoken(u.Words)}
	}
	return segments
}

func spoken(words []word) []speech.Word {
	said := make([]speech.Word, len(words))
	for i, w := range words {
		said[i] = speech.Word{Text: w.Text, Start: w.Start.Time, End: w.End.Time, Confidence: w.Confidence, Speaker: w.Speaker}
	}
	return said
}

// badMedia lists words in the server's errors that mean invalid media.
var badMedia = []string{"transcod", "contain audio", "too short", "file type", "corrupt", "unsupported", "could not be processed", "decode", "duration", "empty"}

// failure returns the error of a transcript whose status is "error", or nil if the media contains no speech. Neither is charged for.
func (t transcript) failure() error {
	const mostSaid = 500
	said := strings.ToLower(t.Error)
	cause := errors.New(strings.ToValidUTF8(t.Error[:min(len(t.Error), mostSaid)], ""))
	if strings.Contains(said, "no spoken audio") {
		return nil
	}
	for _, fault := range badMedia {
		if strings.Contains(said, fault) {
			return engine.Errorf(engine.CodeBadMedia, "Transcribe", "%s could not read the media.", name).Because(cause).
				WithHint("Check that the file plays, or convert it.")
		}
	}
	return engine.Errorf(engine.CodeUnavailable, "Transcribe", "%s could not transcribe the media.", name).Because(cause).
		WithHint("The reason of the service is in the log. Check the language and the model.")
}
