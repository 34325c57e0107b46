package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Document is the JSON of a transcript (specification, "GET /v1/recordings/:id/transcript"). ParseJSON reads it.
type Document struct {
	RecordingID   *string     `json:"recording_id"`
	Language      *string     `json:"language"`
	AudioDuration int64       `json:"audio_duration"` // seconds
	Utterances    []Utterance `json:"utterances"`     // never null
}

// Utterance is the JSON of one utterance. Times are in milliseconds.
type Utterance struct {
	Speaker     string  `json:"speaker"`                // the label, "Speaker 0"
	SpeakerName string  `json:"speaker_name,omitempty"` // the name assigned to the label, if any
	Text        string  `json:"text"`
	Start       int64   `json:"start"`
	End         int64   `json:"end"`
	Confidence  float64 `json:"confidence"`
	Words       []Word  `json:"words"` // never null
}

// Word is the JSON of one word. Times are in milliseconds.
type Word struct {
	Text       string  `json:"text"`
	Start      int64   `json:"start"`
	End        int64   `json:"end"`
	Confidence float64 `json:"confidence"`
	Speaker    string  `json:"speaker"`
}

// Utterances returns the JSON form of a transcript's utterances, without assigned names. It is never nil.
func Utterances(t transcript.Transcript) []Utterance { return prepare(t, Options{}).wire() }

// WriteJSON writes the complete transcript, with labels, words and confidences, as one JSON object and a line feed.
func WriteJSON(w io.Writer, t transcript.Transcript, o Options) error {
	s := prepare(t, o)
	var b bytes.Buffer
	b.Grow(s.size() + 96*s.words())
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// Utterances are encoded one by one: as one value they would be in memory three times.
	put := func(v any) error {
		err := enc.Encode(v)
		b.Truncate(max(b.Len()-1, 0)) // the line feed
		return err
	}
	err := put(Document{
		RecordingID:   orNull(s.recordingID),
		Language:      orNull(captions.CleanText(string(s.Language))),
		AudioDuration: transcript.Transcript{Duration: s.Duration}.AudioSeconds(),
		Utterances:    []Utterance{},
	})
	b.Truncate(max(b.Len()-len("]}"), 0))
	for i, u := range s.Utterances {
		if i > 0 {
			b.WriteByte(',')
		}
		err = errors.Join(err, put(wireOf(u)))
	}
	if err != nil {
		return err
	}
	b.WriteString("]}\n")
	return writeFile(w, &b)
}

func (s script) wire() []Utterance {
	utterances := make([]Utterance, len(s.Utterances))
	for i, u := range s.Utterances {
		utterances[i] = wireOf(u)
	}
	return utterances
}

func wireOf(u captions.Utterance) Utterance {
	words := make([]Word, len(u.Words))
	for i, w := range u.Words {
		words[i] = Word{Text: w.Text, Start: milliseconds(w.Start), End: milliseconds(w.End), Confidence: w.Confidence, Speaker: w.Speaker}
		if w.Speaker == "" {
			words[i].Speaker = u.Label
		}
	}
	wire := Utterance{Speaker: u.Label, Text: u.Text, Start: milliseconds(u.Start), End: milliseconds(u.End), Confidence: u.Confidence, Words: words}
	if assigned(u) {
		wire.SpeakerName = u.Name
	}
	return wire
}

// words returns the number of words.
func (s script) words() int {
	n := 0
	for _, u := range s.Utterances {
		n += len(u.Words)
	}
	return n
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// writeFile writes a complete file in one call.
func writeFile(w io.Writer, b *bytes.Buffer) error {
	_, err := b.WriteTo(w)
	return err
}
