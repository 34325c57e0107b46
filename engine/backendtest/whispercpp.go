package backendtest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// WhisperCPP is a fake of whisper.cpp's server, at POST /inference: verbose_json whose words are tokens, nested in segments.
// It returns words wherever the audio isn't silent. Source: examples/server of whisper.cpp.
type WhisperCPP struct {
	Server
	Language string // detected language if the request has none, by its English name; default "english"

	quirks []SpeechQuirk
	busy   atomic.Int32
	most   atomic.Int32
}

// NewWhisperCPP starts a server that runs until the test ends. It also serves /v1/audio/transcriptions, as with
// --inference-path.
func NewWhisperCPP(t testing.TB, quirks ...SpeechQuirk) *WhisperCPP {
	t.Helper()
	s := &WhisperCPP{Language: "english", quirks: quirks}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /inference", s.infer)
	mux.HandleFunc("POST /v1/audio/transcriptions", s.infer)
	s.Start(t, mux)
	return s
}

// MaxConcurrent returns the highest number of concurrent requests so far.
func (s *WhisperCPP) MaxConcurrent() int { return int(s.most.Load()) }

func (s *WhisperCPP) infer(w http.ResponseWriter, r *http.Request) {
	if now := s.busy.Add(1); now > s.most.Load() {
		s.most.Store(now)
	}
	defer s.busy.Add(-1)
	w.Header().Set("Content-Type", "application/json")
	samples, err := samplesOf(r)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"no 'file' field in the request"}`)
		return
	}
	language := s.Language
	if code := r.FormValue("language"); code != "auto" {
		language = openAILanguages[code]
	}
	var heard []sentence
	if !slices.Contains(s.quirks, EmptyResult) {
		heard = sentences(listen(samples, language))
	}
	answer := map[string]any{"text": textOf(heard)}
	if r.FormValue("response_format") == "verbose_json" {
		answer["task"], answer["language"], answer["duration"] = "transcribe", language, float64(len(samples))/16000
		answer["segments"] = s.segments(heard)
	}
	b, _ := json.Marshal(answer)
	_, _ = io.WriteString(w, strings.ReplaceAll(string(b), noTime, "NaN"))
}

func (s *WhisperCPP) segments(heard []sentence) []any {
	segments := []any{}
	for i, sentence := range heard {
		segment := map[string]any{
			"id": i, "text": sentence.text(), "start": sentence[0].start, "end": sentence[len(sentence)-1].end,
			"temperature": 0.0, "avg_logprob": -0.3, "no_speech_prob": 0.02, "tokens": []int{50364},
		}
		if !slices.Contains(s.quirks, NoWords) {
			segment["words"] = s.tokens(sentence)
		}
		segments = append(segments, segment)
	}
	if slices.Contains(s.quirks, NoSegments) {
		return nil
	}
	return segments
}

// tokens splits each word into two tokens and its punctuation.
func (s *WhisperCPP) tokens(said sentence) []any {
	tokens := []any{token("[_BEG_]", said[0].start, said[0].start, 0.9)}
	for k, text := range said.pieces() {
		w := said[k]
		start, middle, end := w.start, (w.start+w.end)/2, w.end
		if slices.Contains(s.quirks, OverlappingWords) && k+2 < len(said) {
			end = said[k+2].start
		}
		bare := strings.TrimRight(text, ".,。")
		head, tail := bare[:3], bare[3:]
		if slices.Contains(s.quirks, BrokenCharacters) && bare[0] >= 0x80 {
			head, tail = "\uFFFD", "\uFFFD"
		}
		first := token(head, start, middle, 0.8)
		if slices.Contains(s.quirks, NaNTimes) && k%2 == 1 {
			first["start"], first["end"], middle = json.Number(noTime), json.Number(noTime), end
		}
		tokens = append(tokens, first)
		if tail != "" {
			tokens = append(tokens, token(tail, middle, end, 0.6))
		} else {
			first["end"] = end
		}
		if mark := text[len(bare):]; mark != "" {
			tokens = append(tokens, token(mark, end, end+0.3, 0.4))
		}
	}
	return append(tokens, token("[_TT_250]", said[len(said)-1].end, said[len(said)-1].end, 0.1))
}

func token(text string, start, end, p float64) map[string]any {
	return map[string]any{"word": text, "start": start, "end": end, "t_dtw": -1, "probability": p}
}
