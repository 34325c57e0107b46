package deepgram

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// answer is the server's response. Times are in seconds.
type answer struct {
	Results *struct {
		Channels   []channel   `json:"channels"`
		Utterances []utterance `json:"utterances"`
	} `json:"results"`
}

type channel struct {
	DetectedLanguage string `json:"detected_language"`
	Alternatives     []struct {
		Transcript string `json:"transcript"`
		Words      []word `json:"words"`
	} `json:"alternatives"`
}

type word struct {
	Word       string            `json:"word"`
	Punctuated string            `json:"punctuated_word"`
	Start      speech.InSeconds  `json:"start"`
	End        speech.InSeconds  `json:"end"`
	Confidence speech.Confidence `json:"confidence"`
	Speaker    label             `json:"speaker"`
}

type utterance struct {
	Start      speech.InSeconds  `json:"start"`
	End        speech.InSeconds  `json:"end"`
	Confidence speech.Confidence `json:"confidence"`
	Channel    int               `json:"channel"`
	Transcript string            `json:"transcript"`
	Words      []word            `json:"words"`
	Speaker    label             `json:"speaker"`
}

// label is a speaker's number as text, or "" for null.
type label string

// UnmarshalJSON accepts any JSON value without an error.
func (l *label) UnmarshalJSON(b []byte) error {
	*l = label(strings.Trim(string(b), `"`))
	if *l == "null" {
		*l = ""
	}
	return nil
}

// transcription converts a response.
func (a answer) transcription(req engine.TranscribeRequest) engine.Transcription {
	language := req.Language
	for _, c := range a.Results.Channels {
		if language == "" {
			language = speech.Language(c.DetectedLanguage)
		}
	}
	return engine.Transcription{Language: language, Words: speech.Words(a.segments(), language, req.Info.Duration)}
}

// segments returns the words of all channels in order of time, else the utterances, else the text.
func (a answer) segments() []speech.Segment {
	several := len(a.Results.Channels) > 1
	var words []speech.Word
	var texts []speech.Segment
	for i, c := range a.Results.Channels {
		if len(c.Alternatives) == 0 {
			continue
		}
		best := c.Alternatives[0]
		words = merge(words, spoken(best.Words, i, several))
		texts = append(texts, speech.Segment{Text: best.Transcript, Speaker: speaker("", i, several)})
	}
	if len(words) > 0 {
		return []speech.Segment{{Words: words}}
	}
	if len(a.Results.Utterances) == 0 {
		return texts
	}
	segments := make([]speech.Segment, len(a.Results.Utterances))
	for i, u := range a.Results.Utterances {
		segments[i] = speech.Segment{
			Text: u.Transcript, Start: u.Start.Time, End: u.End.Time, Confidence: u.Confidence,
			Words: spoken(u.Words, u.Channel, several), Speaker: speaker(u.Speaker, u.Channel, several),
		}
	}
	return segments
}

func spoken(words []word, channel int, several bool) []speech.Word {
	said := make([]speech.Word, len(words))
	last := label("") // per channel: speech.Words would use the other channel's
	for i, w := range words {
		if last = cmp.Or(w.Speaker, last); several {
			w.Speaker = last
		}
		said[i] = speech.Word{
			Text: cmp.Or(w.Punctuated, w.Word), Start: w.Start.Time, End: w.End.Time, Confidence: w.Confidence,
			Speaker: speaker(w.Speaker, channel, several),
		}
	}
	return said
}

// speaker returns a speaker's label: the diarized number, and the channel if there are several.
func speaker(l label, channel int, several bool) string {
	if several {
		return strconv.Itoa(channel) + "." + string(l)
	}
	return string(l)
}

// merge merges the words of two channels in order of their start. A word without a start stays after its predecessor.
func merge(a, b []speech.Word) []speech.Word {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b)
	}
	type placed struct {
		speech.Word
		at time.Duration
	}
	var all []placed
	for _, words := range [][]speech.Word{a, b} {
		at := time.Duration(0)
		for _, w := range words {
			if w.Start.Known {
				at = max(at, w.Start.At)
			}
			all = append(all, placed{w, at})
		}
	}
	slices.SortStableFunc(all, func(x, y placed) int { return cmp.Compare(x.at, y.at) })
	merged := make([]speech.Word, len(all))
	for i, p := range all {
		merged[i] = p.Word
	}
	return merged
}
