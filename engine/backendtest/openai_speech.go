package backendtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// OpenAISpeech is a fake server of OpenAI's POST /v1/audio/transcriptions: verbose_json with words without punctuation, json,
// and diarized_json. It returns words wherever the audio isn't silent. Source:
// https://platform.openai.com/docs/api-reference/audio.
type OpenAISpeech struct {
	Server
	Language string // detected language if the request has none, by its English name; default "english"

	quirks []SpeechQuirk
}

// NewOpenAISpeech starts a server that runs until the test ends. Requests go to URL + "/v1/audio/transcriptions".
func NewOpenAISpeech(t testing.TB, quirks ...SpeechQuirk) *OpenAISpeech {
	t.Helper()
	s := &OpenAISpeech{Language: "english", quirks: quirks}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/audio/transcriptions", s.transcribe)
	s.Start(t, mux)
	return s
}

// openAILanguages maps the codes that the tests request to OpenAI's names.
var openAILanguages = map[string]string{
	"de": "german", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "ja": "japanese", "ko": "korean", "ru": "russian", "zh": "chinese",
}

func (s *OpenAISpeech) transcribe(w http.ResponseWriter, r *http.Request) {
	samples, err := samplesOf(r)
	if err != nil {
		openAIRefuse(w, "file", err.Error())
		return
	}
	language := s.Language
	if code := r.FormValue("language"); code != "" {
		if language = openAILanguages[code]; language == "" {
			openAIRefuse(w, "language", "Invalid language '"+code+"'.")
			return
		}
	}
	model, format := r.FormValue("model"), r.FormValue("response_format")
	if param, why := s.check(r, model, format, len(samples)); why != "" {
		openAIRefuse(w, param, why)
		return
	}
	var heard []sentence
	if !slices.Contains(s.quirks, EmptyResult) {
		heard = sentences(listen(samples, language))
	}
	answer := map[string]any{"text": textOf(heard)}
	switch format {
	case "verbose_json":
		answer["task"], answer["language"], answer["duration"] = "transcribe", language, float64(len(samples))/16000
		s.verbose(answer, heard)
	case "diarized_json":
		answer["segments"] = diarized(heard)
	}
	w.Header().Set("Content-Type", "application/json")
	b, _ := json.Marshal(answer)
	_, _ = io.WriteString(w, strings.ReplaceAll(string(b), noTime, "NaN"))
}

// check returns the first invalid parameter and the error message, or "".
func (s *OpenAISpeech) check(r *http.Request, model, format string, samples int) (param, why string) {
	diarizes := strings.Contains(model, "diarize")
	switch {
	case model == "":
		return "model", "you must provide a model parameter"
	case format != "json" && slices.Contains(s.quirks, PlainOnly),
		format == "verbose_json" && strings.HasPrefix(model, "gpt-4o"), format == "diarized_json" && !diarizes:
		return "response_format", fmt.Sprintf("response_format '%s' is not compatible with model '%s'. Use 'json' or 'text' instead.", format, model)
	case format != "verbose_json" && r.MultipartForm.Value["timestamp_granularities[]"] != nil:
		return "timestamp_granularities", "timestamp_granularities needs response_format verbose_json"
	case diarizes && samples > 30*16000 && r.FormValue("chunking_strategy") == "":
		return "chunking_strategy", "chunking_strategy is required for audio longer than 30 seconds"
	case diarizes && r.FormValue("prompt") != "":
		return "prompt", "Prompt is not supported for this model."
	case samples < 1600:
		return "file", "Audio file is too short. Minimum audio length is 0.1 seconds."
	}
	return "", ""
}

// noTime is replaced by NaN after encoding, because JSON can't encode NaN.
const noTime = "-987654321"

func (s *OpenAISpeech) verbose(answer map[string]any, heard []sentence) {
	segments, words := []any{}, []any{}
	for i, sentence := range heard {
		segment := map[string]any{
			"id": i, "seek": 0, "start": sentence[0].start, "end": sentence[len(sentence)-1].end, "text": sentence.text(), "tokens": []int{50364},
			"temperature": 0.0, "avg_logprob": -0.25, "compression_ratio": 1.1, "no_speech_prob": 0.01,
		}
		inside := []any{}
		for k, w := range sentence {
			word := map[string]any{"word": w.text, "start": w.start, "end": w.end}
			if slices.Contains(s.quirks, NaNTimes) && k%2 == 1 {
				word["start"] = json.Number(noTime)
			}
			if slices.Contains(s.quirks, OverlappingWords) && k+2 < len(sentence) {
				word["end"] = sentence[k+2].start
			}
			inside = append(inside, word)
		}
		if slices.Contains(s.quirks, NestedWords) {
			segment["words"] = inside
		} else {
			words = append(words, inside...)
		}
		segments = append(segments, segment)
	}
	if !slices.Contains(s.quirks, NoSegments) {
		answer["segments"] = segments
	}
	if !slices.Contains(s.quirks, NoWords) && !slices.Contains(s.quirks, NoSegments) && !slices.Contains(s.quirks, NestedWords) {
		answer["words"] = words
	}
}

func diarized(heard []sentence) []any {
	segments := []any{}
	for i, sentence := range heard {
		segments = append(segments, map[string]any{
			"type": "transcript.text.segment", "id": fmt.Sprintf("seg_%d", i), "text": sentence.text(),
			"start": sentence[0].start, "end": sentence[len(sentence)-1].end, "speaker": string(rune('A' + sentence[0].turn%2)),
		})
	}
	return segments
}

func textOf(heard []sentence) string {
	var b strings.Builder
	for _, s := range heard {
		b.WriteString(s.text())
	}
	return strings.TrimSpace(b.String())
}

func openAIRefuse(w http.ResponseWriter, param, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{
		"message": message, "type": "invalid_request_error", "param": param, "code": "unsupported_value",
	}})
}
