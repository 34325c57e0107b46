package backendtest

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// OpenAIChat is a fake server of chat completions, at /v1/chat/completions, as in OpenAI, Ollama, llama.cpp, and vLLM.
// Source: https://platform.openai.com/docs/api-reference/chat/create.
type OpenAIChat struct{ Server }

// NewOpenAIChat starts a server that runs until the test ends. Requests go to URL + "/chat/completions".
func NewOpenAIChat(t testing.TB, o ModelOptions) *OpenAIChat {
	t.Helper()
	s := &OpenAIChat{}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) { o.openaiChat(w, r) })
	s.Start(t, mux)
	s.URL += "/v1"
	return s
}

func (o ModelOptions) openaiChat(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model    string
		Messages []struct {
			Role    string
			Content string
		}
		MaxTokens           int                   `json:"max_tokens"`
		MaxCompletionTokens int                   `json:"max_completion_tokens"`
		ResponseFormat      struct{ Type string } `json:"response_format"`
	}
	switch err := json.NewDecoder(r.Body).Decode(&req); {
	case o.Key != "" && r.Header.Get("Authorization") != "Bearer "+o.Key:
		openaiError(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided.")
	case err != nil || req.Model == "" || len(req.Messages) != 2 || req.Messages[0].Role != "system" || req.Messages[1].Role != "user":
		openaiError(w, http.StatusBadRequest, "invalid_request", "The fake server does not support this request.")
	case o.RefusesMaxTokens && req.MaxTokens > 0:
		openaiError(w, http.StatusBadRequest, "unsupported_parameter", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
	case (req.MaxTokens > 0) == (req.MaxCompletionTokens > 0), req.ResponseFormat.Type != "" && req.ResponseFormat.Type != "json_object":
		openaiError(w, http.StatusBadRequest, "invalid_request", "A parameter is invalid.")
	default:
		system, user, prompt := o.readable(req.Messages[0].Content, req.Messages[1].Content)
		text, completion, cut := o.reply(system, user, req.MaxTokens+req.MaxCompletionTokens)
		finish := "stop"
		if cut {
			finish = "length"
		}
		writeJSON(w, http.StatusOK, map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": req.Model,
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": finish, "logprobs": nil,
				"message": map[string]any{"role": "assistant", "content": text, "refusal": nil, "reasoning_content": "I think."},
			}},
			"usage": map[string]any{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion},
		})
	}
}

// readable returns the part of a prompt that fits the model's context, and its number of tokens.
func (o ModelOptions) readable(system, user string) (_, _ string, tokens int) {
	tokens = transcript.EstimateTokens(system) + transcript.EstimateTokens(user)
	if o.Context > 0 && tokens > o.Context {
		tokens = o.Context
		user = user[len(user)-min(len(user), o.Context*4):]
	}
	return system, user, tokens
}

// reply returns a reply, cut to most tokens.
func (o ModelOptions) reply(system, user string, most int) (text string, tokens int, cut bool) {
	reply := o.Reply
	if reply == nil {
		reply = Reply
	}
	text = reply(system, user)
	if tokens = transcript.EstimateTokens(text); tokens > most {
		runes := []rune(text)
		return string(runes[:min(most, len(runes))]), most, true
	}
	return text, tokens, false
}

func openaiError(w http.ResponseWriter, status int, code, message string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error", "param": nil, "code": code}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
