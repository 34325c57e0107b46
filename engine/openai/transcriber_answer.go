package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"time"

	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// answer is what servers of either dialect say, in whichever form: words may be beside the segments or in them.
type answer struct {
	Text     string        `json:"text"`
	Language string        `json:"language"`
	Segments list[segment] `json:"segments"`
	Words    list[word]    `json:"words"`
}

type segment struct {
	Text         string           `json:"text"`
	Start        speech.InSeconds `json:"start"`
	End          speech.InSeconds `json:"end"`
	AvgLogprob   number           `json:"avg_logprob"`
	NoSpeechProb number           `json:"no_speech_prob"`
	Speaker      string           `json:"speaker"`
	Words        list[word]       `json:"words"`
}

type word struct {
	Word        string            `json:"word"`
	Start       speech.InSeconds  `json:"start"`
	End         speech.InSeconds  `json:"end"`
	Probability speech.Confidence `json:"probability"`
}

// list is a list in JSON that is not longer than what is said in half a day.
type list[T any] []T

const maxList = 100_000

func (l *list[T]) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return err // null, or what is no list, is none
	}
	for d.More() {
		if len(*l) == maxList {
			return fmt.Errorf("a list has more than %d items", maxList)
		}
		var v T
		if err := d.Decode(&v); err != nil {
			return err
		}
		*l = append(*l, v)
	}
	return nil
}

// number is a number in JSON; anything else is NaN and no error.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	var v *float64
	if json.Unmarshal(b, &v) != nil || v == nil {
		*n = number(math.NaN())
		return nil
	}
	*n = number(*v)
	return nil
}

// silent reports whether a segment is one that Whisper makes up where nothing is said, by its authors' rule: the model thinks that
// nobody speaks, and is not sure of the words. A server that tells neither has 0 for both. Source: transcribe.py of openai/whisper.
func (s segment) silent() bool { return s.NoSpeechProb > 0.6 && s.AvgLogprob <= -1 }

// confidence is the mean probability of a token, where the server tells its logarithm.
func (s segment) confidence() speech.Confidence {
	if s.AvgLogprob == 0 {
		return speech.Confidence{}
	}
	return sure(math.Exp(float64(s.AvgLogprob)))
}

// special is what whisper.cpp writes of what is no speech: its tokens of times and turns, and silence by name.
var special = regexp.MustCompile(`\[_[A-Z]+_?\d*\]|\[ ?BLANK_AUDIO ?\]|\[SPEAKER_TURN\]|<\|[^|<>]{0,20}\|>`)

// heard makes segments of an answer. asked is the language that the server was told, "" for none.
func (a answer) heard(asked transcript.Language, duration time.Duration) speech.Heard {
	h := speech.Heard{Language: speech.Language(a.Language)}
	if h.Language == "" && asked == "" {
		h.Language = speech.Guess(a.Text)
	}
	language := cmp.Or(asked, h.Language)
	segments := a.Segments
	if len(segments) == 0 && (len(a.Words) == 0 || a.Text != "") {
		segments = []segment{{Text: a.Text, Start: speech.InSeconds{Time: speech.At(0)}, End: speech.InSeconds{Time: speech.At(duration)}}}
	}
	var texts []stretch
	nested := false
	for i, s := range segments {
		if text := special.ReplaceAllString(s.Text, " "); text != "" {
			texts = append(texts, stretch{text, i})
		}
		nested = nested || len(s.Words) > 0
	}
	if !nested {
		return a.build(h, segments, align(texts, joined(a.Words, language), language))
	}
	var all []placed
	for i, s := range segments {
		all = append(all, align([]stretch{{special.ReplaceAllString(s.Text, " "), i}}, joined(s.Words, language), language)...)
	}
	return a.build(h, segments, all)
}

// build gives every word to its segment, and leaves out what is said in silent ones.
func (a answer) build(h speech.Heard, segments []segment, words []placed) speech.Heard {
	for i := 0; i < len(words); {
		at, j := words[i].stretch, i
		var out speech.Segment
		for ; j < len(words) && words[j].stretch == at; j++ {
			out.Words = append(out.Words, words[j].Word)
		}
		i = j
		if at < 0 || at >= len(segments) {
			h.Segments = append(h.Segments, out)
			continue
		}
		s := segments[at]
		if s.silent() {
			continue
		}
		out.Start, out.End, out.Speaker, out.Confidence = s.Start.Time, s.End.Time, s.Speaker, s.confidence()
		h.Segments = append(h.Segments, out)
	}
	return h
}
