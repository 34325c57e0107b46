package command

import (
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// soundstageJSON is Soundstage's own transcript JSON. Times are milliseconds.
type soundstageJSON struct {
	Language   string `json:"language"`
	Utterances []struct {
		Speaker string                `json:"speaker"`
		Text    string                `json:"text"`
		Start   speech.InMilliseconds `json:"start"`
		End     speech.InMilliseconds `json:"end"`
		Words   []struct {
			Text       string                `json:"text"`
			Start      speech.InMilliseconds `json:"start"`
			End        speech.InMilliseconds `json:"end"`
			Confidence speech.Confidence     `json:"confidence"`
			Speaker    string                `json:"speaker"`
		} `json:"words"`
	} `json:"utterances"`
}

func readSoundstage(b []byte) (result, error) {
	var o soundstageJSON
	if err := backend.Decode(b, &o); err != nil {
		return result{}, err
	}
	h := result{language: o.Language}
	for _, u := range o.Utterances {
		s := speech.Segment{Text: u.Text, Start: u.Start.Time, End: u.End.Time, Speaker: u.Speaker}
		for _, w := range u.Words {
			s.Words = append(s.Words, speech.Word{Text: w.Text, Start: w.Start.Time, End: w.End.Time, Confidence: w.Confidence, Speaker: w.Speaker})
		}
		h.segments = append(h.segments, withSingleWord(s))
	}
	return h, nil
}
