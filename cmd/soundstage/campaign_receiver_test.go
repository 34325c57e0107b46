package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// hooks is a local server with media, and with a webhook receiver that refuses every fifth message, but none twice: a delivery has three
// attempts.
type hooks struct {
	*httptest.Server
	mu       sync.Mutex
	messages int
	sent     map[string]map[string]bool // event and resource → webhook-ids
	accepted map[string]int             // event and resource → how often a message was accepted
	refused  map[string]bool            // event and resource → whether a message was refused
	again    int                        // messages that were accepted before
}

func newHooks(t *testing.T) *hooks {
	t.Helper()
	tone, err := os.ReadFile(testdata("tone.wav"))
	require.NoError(t, err)
	h := &hooks{sent: map[string]map[string]bool{}, accepted: map[string]int{}, refused: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /hook", h.receive)
	mux.HandleFunc("GET /{name}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/wav")
		_, _ = w.Write(tone)
	})
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

func (h *hooks) receive(w http.ResponseWriter, req *http.Request) {
	var m struct {
		Type string
		Data map[string]any
	}
	err := json.NewDecoder(req.Body).Decode(&m)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil { // the server was killed while it was sending
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	about := resourceOf(m.Type, m.Data)
	if h.sent[about] == nil {
		h.sent[about] = map[string]bool{}
	}
	h.sent[about][req.Header.Get("webhook-id")] = true
	if h.messages++; h.messages%5 == 0 && !h.refused[about] {
		h.refused[about] = true
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if h.accepted[about]++; h.accepted[about] > 1 {
		h.again++
	}
}

// resourceOf returns an event's type and the ID of its resource.
func resourceOf(event string, data map[string]any) string {
	if event == "output.completed" {
		return fmt.Sprint(event, " ", data["output_id"])
	}
	return fmt.Sprint(event, " ", data["recording_id"])
}

// has reports whether a message about an event has been accepted.
func (h *hooks) has(event string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.accepted[event] > 0
}
