package backendtest

import (
	"encoding/json"
	"net/http"
	"testing"
)

// Anthropic is a fake server of Anthropic's Messages API, at /v1/messages. Source: https://docs.claude.com/en/api/messages.
type Anthropic struct{ Server }

// NewAnthropic starts a server that runs until the test ends. Requests go to URL + "/v1/messages".
func NewAnthropic(t testing.TB, o ModelOptions) *Anthropic {
	t.Helper()
	s := &Anthropic{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", func(w http.ResponseWriter, r *http.Request) { o.anthropic(w, r) })
	s.Start(t, mux)
	return s
}

func (o ModelOptions) anthropic(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model     string
		MaxTokens int `json:"max_tokens"`
		System    string
		Messages  []struct {
			Role    string
			Content string
		}
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields() // the API rejects unknown fields
	switch err := decoder.Decode(&req); {
	case o.Key != "" && r.Header.Get("X-Api-Key") != o.Key:
		anthropicError(w, http.StatusUnauthorized, "authentication_error", "invalid x-api-key")
	case r.Header.Get("Anthropic-Version") == "":
		anthropicError(w, http.StatusBadRequest, "invalid_request_error", "anthropic-version: header is required")
	case err != nil || req.Model == "" || req.MaxTokens <= 0 || len(req.Messages) != 1 || req.Messages[0].Role != "user":
		anthropicError(w, http.StatusBadRequest, "invalid_request_error", "The fake server does not support this request.")
	default:
		system, user, prompt := o.readable(req.System, req.Messages[0].Content)
		text, tokens, cut := o.reply(system, user, req.MaxTokens)
		stop := "end_turn"
		if cut {
			stop = "max_tokens"
		}
		writeJSON(w, http.StatusOK, map[string]any{
			"id": "msg_1", "type": "message", "role": "assistant", "model": req.Model, "stop_reason": stop, "stop_sequence": nil,
			"content": []any{
				map[string]any{"type": "thinking", "thinking": "I think.", "signature": "x"},
				map[string]any{"type": "text", "text": text},
			},
			"usage": map[string]any{"input_tokens": 1, "cache_read_input_tokens": prompt - 1, "cache_creation_input_tokens": 0, "output_tokens": tokens},
		})
	}
}

func anthropicError(w http.ResponseWriter, status int, kind, message string) {
	writeJSON(w, status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_1"})
}
