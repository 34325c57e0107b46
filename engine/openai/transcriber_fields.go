package openai

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// times is what of an answer has times.
type times int

const (
	none times = iota
	ofTurns
	ofWords
)

// format is the form of an answer: the name that it is asked for by, and what is in it.
type format struct {
	name  string
	times times
}

// formatOf returns the form that a model answers in that tells most. Models that aren't known are taken for Whisper's relatives, which
// most servers have.
func formatOf(d Dialect, model string) format {
	switch {
	case d == WhisperCPP:
		return format{"verbose_json", ofWords}
	case strings.Contains(model, "diarize"):
		return format{"diarized_json", ofTurns}
	case strings.HasPrefix(model, "gpt-4o-transcribe"), strings.HasPrefix(model, "gpt-4o-mini-transcribe"):
		return format{"json", none}
	}
	return format{"verbose_json", ofWords}
}

// fields are what is sent beside the file.
func (t *Transcriber) fields(req engine.TranscribeRequest) []backend.Field {
	var fields []backend.Field
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, backend.Field{Name: name, Value: value})
		}
	}
	add("model", t.cfg.Model)
	add("response_format", t.format.name)
	language := string(req.Language)
	if t.cfg.Dialect == WhisperCPP {
		if language == "" {
			language = "auto" // else it is whatever the server was started with
		}
		add("temperature", "0.0")
		add("temperature_inc", "0.2")
		add("no_language_probabilities", "true") // they take as long as another half a minute of sound
	}
	add("language", language)
	switch {
	case t.cfg.Dialect == OpenAI && t.format.times == ofWords:
		add("timestamp_granularities[]", "word")
		add("timestamp_granularities[]", "segment")
	case t.format.times == ofTurns:
		add("chunking_strategy", "auto")
		return fields // which take no prompt
	}
	add("prompt", prompt(req.BoostedWords, req.ContextPrompt))
	return fields
}

// maxPrompt is how many tokens of a prompt Whisper looks at: half of its context, less one. Of more it takes the end, so that there must
// never be more. Source: https://platform.openai.com/docs/guides/speech-to-text#prompting.
const maxPrompt = 224

// prompt is the boosted words, as many as there is room for, and what the media is about, as far as there is room left.
func prompt(words []string, context string) string {
	var b strings.Builder
	left := maxPrompt
	for _, w := range words {
		w = line(w)
		cost := tokens(w) + 1
		if w == "" || cost+1 > left {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w)
		left -= cost
	}
	if b.Len() > 0 {
		b.WriteString(". ")
		left--
	}
	for w := range strings.FieldsSeq(line(context)) {
		cost := tokens(w)
		if cost > left {
			break
		}
		b.WriteString(w + " ")
		left -= cost
	}
	return strings.TrimSpace(b.String())
}

// tokens is at least about as many tokens as Whisper makes of a word: its vocabulary knows letters and common syllables of Latin script,
// and hardly more than the bytes of others.
func tokens(word string) int {
	n := 0
	for _, r := range word {
		switch {
		case r < unicode.MaxASCII:
			n += 2
		case r < 0x800:
			n += 4
		default:
			n += 8
		}
	}
	return (n + 3) / 4
}

func line(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))), " ")
}
