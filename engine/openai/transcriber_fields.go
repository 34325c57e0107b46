package openai

import (
	"strings"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// times is the level of detail at which an answer has times.
type times int

const (
	none times = iota
	ofTurns
	ofWords
)

// format is a response format: its name, and the times in it.
type format struct {
	name  string
	times times
}

// formatOf returns the most detailed response format of a model. Unknown models are treated as variants of Whisper, as
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

// fields returns the form fields that are sent with the file.
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
			language = "auto" // otherwise the server uses its own default
		}
		add("temperature", "0.0")
		add("temperature_inc", "0.2")
		add("no_language_probabilities", "true") // they take as long as another 30 s of audio
	}
	add("language", language)
	switch {
	case t.cfg.Dialect == OpenAI && t.format.times == ofWords:
		add("timestamp_granularities[]", "word")
		add("timestamp_granularities[]", "segment")
	case t.format.times == ofTurns:
		add("chunking_strategy", "auto")
		return fields // these models accept no prompt
	}
	add("prompt", prompt(req.BoostedWords, req.ContextPrompt))
	return fields
}

// maxPrompt is the maximum number of prompt tokens that Whisper uses: half of its context, less one. It drops the start
// of a longer prompt, so there must never be more. Source:
// https://platform.openai.com/docs/guides/speech-to-text#prompting.
const maxPrompt = 224

// prompt returns as many boosted words as fit, and then as much of the context prompt as fits.
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

// tokens estimates an upper bound of Whisper's tokens in a word. Its vocabulary has letters and common syllables of the
// Latin script, and hardly more than single bytes of other scripts.
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
