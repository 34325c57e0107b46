package backendtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// AssemblyAI is a fake server of AssemblyAI's API for pre-recorded audio: uploads, transcripts that complete after a number
// of polls, and a list of transcripts. Source: https://www.assemblyai.com/docs/api-reference (upload, transcript), as of
// November 2026.
type AssemblyAI struct {
	Server
	Key   string // API key that requests must carry; default "key"
	Polls int    // number of polls that return "processing" before "completed"; default 1

	mu          sync.Mutex
	uploads     map[string][]byte
	transcripts []*serverTranscript
}

// serverTranscript is a transcript on the server.
type serverTranscript struct {
	ID       string `json:"id"`
	AudioURL string `json:"audio_url"`
	Status   string `json:"status"`

	asked map[string]any
	polls int
}

// NewAssemblyAI starts a server that runs until the test ends.
func NewAssemblyAI(t testing.TB) *AssemblyAI {
	s := &AssemblyAI{Key: "key", Polls: 1, uploads: map[string][]byte{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/upload", s.upload)
	mux.HandleFunc("POST /v2/transcript", s.submit)
	mux.HandleFunc("GET /v2/transcript", s.list)
	mux.HandleFunc("GET /v2/transcript/{id}", s.get)
	s.Start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != s.Key {
			Status(http.StatusUnauthorized, "", `{"error":"Authentication error, API token missing/invalid"}`)(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	return s
}

// Submitted returns the request body of each transcript, in order.
func (s *AssemblyAI) Submitted() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []map[string]any
	for _, t := range s.transcripts {
		all = append(all, t.asked)
	}
	return all
}

// Forget deletes the server's uploads and transcripts.
func (s *AssemblyAI) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.uploads)
	for _, t := range s.transcripts {
		t.ID, t.AudioURL = "", ""
	}
}

func (s *AssemblyAI) upload(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	url := fmt.Sprintf("https://cdn.assemblyai.test/upload/%d", len(s.Requests()))
	s.uploads[url] = body
	answerWith(w, map[string]any{"upload_url": url})
}

func (s *AssemblyAI) submit(w http.ResponseWriter, r *http.Request) {
	asked := map[string]any{}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		Status(http.StatusBadRequest, "", `{"error":"Invalid JSON"}`)(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	url, _ := asked["audio_url"].(string)
	if _, ok := s.uploads[url]; !ok {
		Status(http.StatusForbidden, "", `{"error":"Cannot access uploaded file"}`)(w, r)
		return
	}
	t := &serverTranscript{ID: fmt.Sprintf("transcript-%d", len(s.transcripts)), AudioURL: url, Status: "queued", asked: asked}
	s.transcripts = append(s.transcripts, t)
	answerWith(w, t)
}

func (s *AssemblyAI) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answerWith(w, map[string]any{"transcripts": s.transcripts})
}

func (s *AssemblyAI) get(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.transcripts {
		if t.ID != r.PathValue("id") {
			continue
		}
		if t.polls++; t.polls <= s.Polls {
			answerWith(w, map[string]any{"id": t.ID, "status": "processing", "words": nil, "text": nil, "error": nil})
			return
		}
		answerWith(w, s.completed(t))
		return
	}
	Status(http.StatusNotFound, "", `{"error":"Transcript lookup error, transcript id not found"}`)(w, r)
}

// completed returns the response for a transcript that has ended.
func (s *AssemblyAI) completed(t *serverTranscript) map[string]any {
	said := map[string]any{"id": t.ID, "audio_url": t.AudioURL, "status": "completed", "error": nil, "language_code": t.asked["language_code"]}
	heard, duration, ok := Listen(s.uploads[t.AudioURL])
	switch {
	case !ok:
		said["status"], said["error"] = "error", "Transcoding failed. File does not appear to contain audio. File type is application/octet-stream (data)."
		return said
	case len(heard) == 0 && t.asked["language_detection"] == true:
		said["status"], said["error"] = "error", "language_detection cannot be performed on files with no spoken audio."
		return said
	case t.asked["language_detection"] == true:
		said["language_code"], said["language_confidence"] = "en_us", 0.98
	}
	words := []map[string]any{}
	var text []string
	for _, h := range heard {
		word := map[string]any{"text": h.Text, "start": h.Start.Milliseconds(), "end": h.End.Milliseconds(), "confidence": 0.9, "speaker": nil}
		if t.asked["speaker_labels"] == true {
			word["speaker"] = string(rune('A' + h.Speaker))
		}
		words, text = append(words, word), append(text, h.Text)
	}
	said["words"], said["text"], said["audio_duration"] = words, strings.Join(text, " "), int(duration.Seconds())
	return said
}

// answerWith writes v as JSON with status 200.
func answerWith(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
