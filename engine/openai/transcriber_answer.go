package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// answer is a response of either dialect, in any format. Words may be next to the segments or inside them.
type answer struct {
	Text     *string         `json:"text"`
	Language string          `json:"language"`
	Segments list[segment]   `json:"segments"`
	Words    list[word]      `json:"words"`
	Error    json.RawMessage `json:"error"` // whisper.cpp and some gateways report errors with status 200
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

// failure returns the error of a response that has no transcript, or reports an error. Silence has an empty text or empty lists.
func (a answer) failure(c *backend.Client) error {
	err := engine.Errorf(engine.CodeUnavailable, "", "The response from %s contains no transcript.", c.Inside()).Transient()
	if cause := c.Reported(a.Error); cause != nil {
		return err.Because(cause).WithHint("The server reported an error: look into its log.")
	}
	if a.Text == nil && a.Segments == nil && a.Words == nil {
		return err.WithHint("The server may speak another protocol: check the URL and the kind of the backend.")
	}
	return nil
}

// list is a JSON list of at most maxList items. It is nil for null, and for what is not a list.
type list[T any] []T

const maxList = 100_000 // more words than in half a day of speech

func (l *list[T]) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return err // null, or not a list: empty
	}
	*l = list[T]{}
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

// number is a JSON number. Anything else becomes NaN without an error.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	var v *float64
	if json.Unmarshal(b, &v) != nil || v == nil {
		*n = number(math.NaN())
		return nil //nolint:nilerr // an invalid number is unknown
	}
	*n = number(*v)
	return nil
}

// silent reports whether Whisper invented a segment during silence, by its authors' rule: high probability of no speech,
// and low confidence. A server that reports neither has 0 for both. Source: transcribe.py of openai/whisper.
func (s segment) silent() bool { return s.NoSpeechProb > 0.6 && s.AvgLogprob <= -1 }

// confidence returns the mean probability of a token, if the server reports its logarithm.
func (s segment) confidence() speech.Confidence {
	if s.AvgLogprob == 0 {
		return speech.Confidence{}
	}
	return rounded(math.Exp(float64(s.AvgLogprob)))
}

// special matches whisper.cpp's tokens that are not speech: times, speaker turns, and silence.
var special = lazyregexp.New(`\[_[A-Z]+_?\d*\]|\[ ?BLANK_AUDIO ?\]|\[SPEAKER_TURN\]|<\|[^|<>]{0,20}\|>`)

// heard converts an answer to segments. asked is the language in the request, or "".
func (a answer) heard(asked transcript.Language, duration time.Duration) speech.Result {
	h := speech.Result{Language: speech.Language(a.Language)}
	text := ""
	if a.Text != nil {
		text = *a.Text
	}
	if h.Language == "" && asked == "" {
		h.Language = speech.Guess(text)
	}
	language := cmp.Or(asked, h.Language)
	segments := a.Segments
	if len(segments) == 0 && (len(a.Words) == 0 || text != "") {
		segments = []segment{{Text: text, Start: speech.InSeconds{Time: speech.At(0)}, End: speech.InSeconds{Time: speech.At(duration)}}}
	}
	var texts []segmentText
	nested := false
	for i, s := range segments {
		if text := special.ReplaceAllString(s.Text, " "); text != "" {
			texts = append(texts, segmentText{text, i})
		}
		nested = nested || len(s.Words) > 0
	}
	if !nested {
		return a.build(h, segments, align(texts, joined(a.Words, language), language))
	}
	var all []placed
	for i, s := range segments {
		all = append(all, align([]segmentText{{special.ReplaceAllString(s.Text, " "), i}}, joined(s.Words, language), language)...)
	}
	return a.build(h, segments, all)
}

// build assigns each word to its segment, and omits silent segments.
func (a answer) build(h speech.Result, segments []segment, words []placed) speech.Result {
	for i := 0; i < len(words); {
		at, j := words[i].segment, i
		var out speech.Segment
		for ; j < len(words) && words[j].segment == at; j++ {
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
