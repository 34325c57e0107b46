package formats

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/soundstage-dev/soundstage/engine"
)

// Document is the wire form of a transcript (decisions.md, Recordings). Parsers accept it back.
type Document struct {
	RecordingID   *string     `json:"recording_id"`
	Language      *string     `json:"language"`
	AudioDuration int64       `json:"audio_duration"` // seconds
	Utterances    []Utterance `json:"utterances"`     // never null
}

// Utterance is the wire form of one utterance. Times are milliseconds.
type Utterance struct {
	Speaker     string  `json:"speaker"`                // the label, "Speaker 0"
	SpeakerName string  `json:"speaker_name,omitempty"` // only when one is assigned to the label
	Text        string  `json:"text"`
	Start       int64   `json:"start"`
	End         int64   `json:"end"`
	Confidence  float64 `json:"confidence"`
	Words       []Word  `json:"words"` // never null
}

// Word is the wire form of one word. Times are milliseconds.
type Word struct {
	Text       string  `json:"text"`
	Start      int64   `json:"start"`
	End        int64   `json:"end"`
	Confidence float64 `json:"confidence"`
	Speaker    string  `json:"speaker"`
}

// Utterances returns the wire form of a transcript's utterances, without assigned names; never nil.
func Utterances(t engine.Transcript) []Utterance { return prepare(t, Options{}).wire() }

// WriteJSON writes the transcript as one JSON object and a line feed: complete, with labels, words and confidences.
func WriteJSON(w io.Writer, t engine.Transcript, o Options) error {
	s := prepare(t, o)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(Document{
		RecordingID:   orNull(s.recordingID),
		Language:      orNull(cleanText(string(s.language))),
		AudioDuration: engine.Transcript{Duration: s.duration}.AudioSeconds(),
		Utterances:    s.wire(),
	})
	if err != nil {
		return err
	}
	return send(w, &b)
}

func (s script) wire() []Utterance {
	utterances := make([]Utterance, len(s.utterances))
	for i, u := range s.utterances {
		words := make([]Word, len(u.words))
		for j, w := range u.words {
			words[j] = Word{Text: w.Text, Start: milliseconds(w.Start), End: milliseconds(w.End), Confidence: w.Confidence, Speaker: w.Speaker}
			if w.Speaker == "" {
				words[j].Speaker = u.label
			}
		}
		utterances[i] = Utterance{
			Speaker: u.label, Text: u.text, Start: milliseconds(u.start), End: milliseconds(u.end),
			Confidence: u.confidence, Words: words,
		}
		if u.assigned() {
			utterances[i].SpeakerName = u.name
		}
	}
	return utterances
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// send writes a finished file in one piece. A writer that takes less without saying why is an error too.
func send(w io.Writer, b *bytes.Buffer) error {
	_, err := b.WriteTo(w)
	return err
}
