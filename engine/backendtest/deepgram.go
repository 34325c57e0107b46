package backendtest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// Deepgram is a fake server of Deepgram's listen endpoint for pre-recorded audio. Source:
// https://developers.deepgram.com/reference (speech to text, pre-recorded; errors), as of November 2026.
type Deepgram struct {
	Server
	Key string // API key that requests must carry; default "key"
}

// NewDeepgram starts a server that runs until the test ends.
func NewDeepgram(t testing.TB) *Deepgram {
	s := &Deepgram{Key: "key"}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/listen", s.listen)
	s.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Token "+s.Key {
			Status(http.StatusUnauthorized, "", `{"err_code":"INVALID_AUTH","err_msg":"Invalid credentials.","request_id":"r"}`)(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	return s
}

func (*Deepgram) listen(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	heard, duration, ok := Listen(body)
	if !ok {
		Status(http.StatusBadRequest, "", `{"err_code":"Bad Request","err_msg":"Bad Request: failed to process audio: corrupt or unsupported data","request_id":"r"}`)(w, r)
		return
	}
	q := r.URL.Query()
	words := []map[string]any{}
	var text []string
	for _, h := range heard {
		word := map[string]any{"word": h.Text, "punctuated_word": h.Text + ".", "start": h.Start.Seconds(), "end": h.End.Seconds(), "confidence": 0.9}
		if q.Get("diarize") == "true" {
			word["speaker"], word["speaker_confidence"] = h.Speaker, 0.6
		}
		words, text = append(words, word), append(text, h.Text+".")
	}
	channel := map[string]any{"alternatives": []any{map[string]any{"transcript": strings.Join(text, " "), "confidence": 0.9, "words": words}}}
	if q.Get("detect_language") == "true" {
		channel["detected_language"], channel["language_confidence"] = "en", 0.97
	}
	answerWith(w, map[string]any{
		"metadata": map[string]any{"request_id": "r", "duration": duration.Seconds(), "channels": 1},
		"results":  map[string]any{"channels": []any{channel}},
	})
}
