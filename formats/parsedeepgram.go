package formats

import (
	"encoding/json"
	"fmt"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// deepgram is the response of Deepgram's listen endpoint. Times are in seconds.
type deepgram struct {
	Metadata struct {
		Duration float64 `json:"duration"`
	} `json:"metadata"`
	Results *struct {
		Channels []struct {
			DetectedLanguage string `json:"detected_language"`
			Alternatives     []struct {
				Languages []string       `json:"languages"` // of audio in several, the most spoken first
				Words     []deepgramWord `json:"words"`
			} `json:"alternatives"`
		} `json:"channels"`
		Utterances []struct {
			Start      float64        `json:"start"`
			End        float64        `json:"end"`
			Confidence float64        `json:"confidence"`
			Channel    int            `json:"channel"`
			Transcript string         `json:"transcript"`
			Words      []deepgramWord `json:"words"`
			Speaker    *json.Number   `json:"speaker"`
		} `json:"utterances"`
	} `json:"results"`
}

type deepgramWord struct {
	Word       string       `json:"word"`
	Punctuated string       `json:"punctuated_word"`
	Start      float64      `json:"start"`
	End        float64      `json:"end"`
	Confidence float64      `json:"confidence"`
	Speaker    *json.Number `json:"speaker"`
}

func (d deepgram) parsed() Parsed {
	t := transcript.Transcript{Duration: seconds(d.Metadata.Duration)}
	channels := d.Results.Channels
	if len(channels) > 0 {
		t.Language = Language(channels[0].DetectedLanguage)
		if first := channels[0].Alternatives; t.Language == "" && len(first) > 0 && len(first[0].Languages) > 0 {
			t.Language = Language(first[0].Languages[0])
		}
	}
	for _, in := range d.Results.Utterances {
		speaker := deepgramSpeaker(in.Speaker, in.Channel, len(channels))
		t.Utterances = append(t.Utterances, transcript.Utterance{
			Speaker: speaker, Text: in.Transcript, Start: seconds(in.Start), End: seconds(in.End), Confidence: in.Confidence,
			Words: deepgramWords(in.Words, in.Channel, len(channels)),
		})
	}
	if t.Utterances != nil {
		return normalise(t, nil)
	}
	for i, c := range channels {
		if len(c.Alternatives) > 0 {
			words := deepgramWords(c.Alternatives[0].Words, i, len(channels))
			t.Utterances = append(t.Utterances, transcript.BuildUtterances(words, t.Language)...)
		}
	}
	return normalise(t, nil)
}

func deepgramWords(in []deepgramWord, channel, channels int) []transcript.Word {
	words := make([]transcript.Word, len(in))
	for i, w := range in {
		text := w.Punctuated
		if text == "" {
			text = w.Word
		}
		words[i] = transcript.Word{
			Text: text, Start: seconds(w.Start), End: seconds(w.End), Confidence: w.Confidence,
			Speaker: deepgramSpeaker(w.Speaker, channel, channels),
		}
	}
	return words
}

// deepgramSpeaker returns the label of the diarized speaker, or of the channel if there are several.
func deepgramSpeaker(n *json.Number, channel, channels int) string {
	switch {
	case n != nil && channels > 1:
		return fmt.Sprintf("Speaker %d.%s", channel, n)
	case n != nil:
		return "Speaker " + n.String()
	case channels > 1:
		return transcript.SpeakerLabel(channel)
	}
	return ""
}
