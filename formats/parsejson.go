package formats

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	segmentio "github.com/segmentio/encoding/json"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// ParseJSON reads a transcript in JSON: this service's (also as GET /v1/transcripts/:id returns it), AssemblyAI's,
// Deepgram's, whisper.cpp's (-oj and -ojf), and those of WhisperX, openai-whisper, whisper-timestamped, faster-whisper, the OpenAI API, and
// Transformers. It detects the format from the members. Words without utterances are grouped as the engine groups them; words without times get times. Invalid
// or unknown JSON is CodeInvalid, with line and column in the message.
func ParseJSON(r io.Reader) (Parsed, error) {
	text, found, err := readText("ParseJSON", r, maxFile)
	if err != nil {
		return Parsed{}, err
	}
	p, err := parseJSON(text)
	p.Problems = append(found.list(), p.Problems...)
	return p, err
}

// foreign has the members of every format, so that a file is parsed once. Members that identify a format are pointers.
type foreign struct {
	Status string `json:"status"`

	// Members of rarer formats, which are decoded if they decide. Others may use the same names differently.
	Chunks     json.RawMessage `json:"chunks"`
	Sentences  json.RawMessage `json:"sentences"`
	Paragraphs json.RawMessage `json:"paragraphs"`

	assembly
	deepgram
	whisperCPP
	whisper
}

func parseJSON(text []byte) (Parsed, error) {
	var f foreign
	var err error
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		err = decode(text, &f.Segments) // a list of segments, as programs with faster-whisper write it
	} else {
		err = decode(text, &f)
	}
	if err != nil {
		return Parsed{}, err
	}
	language := Language(f.Language)
	switch {
	case f.Results != nil:
		return f.deepgram.parsed(), nil
	case f.Transcription != nil:
		return f.whisperCPP.parsed(), nil
	case f.Segments != nil && len(f.Segments) == 0 && bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")):
		return Parsed{}, syntaxError("ParseJSON", 1, 1, "the JSON is an empty list.")
	case f.Segments != nil:
		return f.whisper.parsed(language), nil
	case f.Status == "error" || f.Status == "processing" || f.Status == "queued":
		return Parsed{}, syntaxError("ParseJSON", 1, 1, "the transcript is not completed: its status is %s.", f.Status)
	case f.AudioDuration == nil && f.Utterances == nil && len(f.Words) > 0 && f.Words[0].Word != "":
		return openAIWords(f.Words, language), nil
	case f.Utterances == nil && (isList(f.Sentences) || isList(f.Paragraphs)):
		var a assemblyParts
		err := decode(text, &a)
		f.Utterances = append(a.Sentences, a.Paragraphs...)
		return f.assembly.parsed(), err
	case f.Utterances != nil || f.AudioDuration != nil:
		return f.assembly.parsed(), nil
	case isList(f.Chunks):
		var p pipeline
		err := decode(text, &p)
		return p.parsed(language), err
	}
	return Parsed{}, fault.Errorf(fault.CodeInvalid, "ParseJSON", "line 1, column 1: the JSON is not a known transcript format.").
		WithHint("Use the JSON of Soundstage, AssemblyAI, Deepgram, whisper.cpp, WhisperX, or OpenAI.")
}

func isList(value json.RawMessage) bool { return bytes.HasPrefix(value, []byte("[")) }

// decode is json.Unmarshal with line and column in the error. The decoder of segmentio takes a third of the time, but it has no limit of
// depth, and its errors have no position. So it decodes only text that isn't deep, and encoding/json decodes again what it refuses.
func decode[T any](text []byte, v *T) error {
	if isShallow(text) {
		var decoded T
		if segmentio.Unmarshal(text, &decoded) == nil {
			*v = decoded
			return nil
		}
	}
	err := json.Unmarshal(text, v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		line, column := position(text, syntax.Offset-1)
		return syntaxError("ParseJSON", line, column, "invalid JSON: %s.", syntax.Error())
	case errors.As(err, &wrongType):
		line, column := position(text, wrongType.Offset-1)
		field := wrongType.Field
		for _, shape := range []string{"assembly.", "deepgram.", "whisperCPP.", "whisper."} {
			field = strings.TrimPrefix(field, shape)
		}
		return syntaxError("ParseJSON", line, column, "%s can't be a %s.", orRoot(field), wrongType.Value)
	}
	return syntaxError("ParseJSON", 1, 1, "invalid JSON.")
}

// isShallow reports whether JSON has few levels. The deepest known transcripts, of Deepgram, have 10.
func isShallow(text []byte) bool {
	const most = 64
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"': // brackets in strings don't count: they could hide levels
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			if depth++; depth > most {
				return false
			}
		case ']', '}':
			depth--
		}
	}
	return true
}

func orRoot(field string) string {
	if field == "" {
		return "a transcript"
	}
	return field
}

// position returns the line and column of a byte in text.
func position(text []byte, offset int64) (line, column int) {
	before := text[:min(max(int(offset), 0), len(text))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}

// assembly is the format of AssemblyAI and of this service, which are similar.
type assembly struct {
	RecordingID   string              `json:"recording_id"`
	Language      string              `json:"language"`      // this service and WhisperX
	LanguageCode  string              `json:"language_code"` // AssemblyAI, "en_us"
	AudioDuration *float64            `json:"audio_duration"`
	Utterances    []assemblyUtterance `json:"utterances"`
	Words         []assemblyWord      `json:"words"`
}

// assemblyParts are the answers of GET /v2/transcript/:id/sentences and /paragraphs.
type assemblyParts struct {
	Sentences  []assemblyUtterance `json:"sentences"`
	Paragraphs []assemblyUtterance `json:"paragraphs"`
}

type assemblyUtterance struct {
	Speaker     string         `json:"speaker"`
	SpeakerName string         `json:"speaker_name"`
	Text        string         `json:"text"`
	Start       float64        `json:"start"`
	End         float64        `json:"end"`
	Confidence  float64        `json:"confidence"`
	Words       []assemblyWord `json:"words"`
}

type assemblyWord struct {
	Text       string  `json:"text"`
	Word       string  `json:"word"` // of the OpenAI API, instead of Text
	Start      float64 `json:"start"`
	End        float64 `json:"end"`
	Confidence float64 `json:"confidence"`
	Speaker    string  `json:"speaker"`
}

func (a assembly) parsed() Parsed {
	t := transcript.Transcript{Language: Language(cmp.Or(a.Language, a.LanguageCode))}
	if a.AudioDuration != nil {
		t.Duration = seconds(*a.AudioDuration)
	}
	var names map[string]string
	for _, in := range a.Utterances {
		u := transcript.Utterance{Speaker: in.Speaker, Text: in.Text, Start: millis(in.Start), End: millis(in.End), Confidence: in.Confidence, Words: assemblyWords(in.Words)}
		if in.SpeakerName != "" {
			if names == nil {
				names = map[string]string{}
			}
			names[in.Speaker] = in.SpeakerName
		}
		t.Utterances = append(t.Utterances, u)
	}
	if a.Utterances == nil {
		t.Utterances = transcript.BuildUtterances(assemblyWords(a.Words), t.Language)
	}
	parsed := normalise(t, names)
	parsed.RecordingID = a.RecordingID
	return parsed
}

func assemblyWords(in []assemblyWord) []transcript.Word {
	words := make([]transcript.Word, len(in))
	for i, w := range in {
		words[i] = transcript.Word{Text: w.Text, Start: millis(w.Start), End: millis(w.End), Confidence: w.Confidence, Speaker: w.Speaker}
	}
	return words
}

func millis(ms float64) time.Duration { return seconds(ms / 1000) }
