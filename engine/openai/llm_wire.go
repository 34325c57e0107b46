package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// The wire form of chat completions. Source: https://platform.openai.com/docs/api-reference/chat/create, and what Ollama, llama.cpp and
// vLLM document to take and give of it.
type (
	chatRequest struct {
		Model               string          `json:"model"`
		Messages            []chatMessage   `json:"messages"`
		MaxTokens           int             `json:"max_tokens,omitempty"`
		MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
		Temperature         *float64        `json:"temperature,omitempty"`
		ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	}
	chatMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	responseFormat struct {
		Type string `json:"type"`
	}
	chatAnswer struct {
		Choices []struct {
			Message struct {
				Content chatContent `json:"content"`
				Refusal string      `json:"refusal"`
			} `json:"message"`
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			PromptTokens     float64 `json:"prompt_tokens"`
			CompletionTokens float64 `json:"completion_tokens"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"` // some gateways tell of errors with status 200
	}
)

// chatContent is the text of a message: a string, null, or parts of which those of text count.
type chatContent string

func (c *chatContent) UnmarshalJSON(b []byte) error {
	var text *string
	if err := json.Unmarshal(b, &text); err == nil {
		if text != nil {
			*c = chatContent(*text)
		}
		return nil
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	var all strings.Builder
	for _, p := range parts {
		if p.Type == "text" || p.Type == "" {
			all.WriteString(p.Text)
		}
	}
	*c = chatContent(all.String())
	return nil
}

// read makes it the answer of a model. What a model thought (reasoning_content, reasoning) is no part of it.
func (a chatAnswer) read(name string) (llm.Answer, error) {
	if len(a.Choices) == 0 {
		e := engine.Errorf(engine.CodeUnavailable, name, "%s gave no answer.", name).Transient()
		if len(a.Error) > 0 {
			e = e.Because(fmt.Errorf("it says: %.300q", a.Error))
		}
		return llm.Answer{}, e
	}
	first := a.Choices[0]
	out := llm.Answer{
		Text: string(first.Message.Content), Finish: llm.FinishStop,
		Usage: llm.Usage{Prompt: chatTokens(a.Usage.PromptTokens), Answer: chatTokens(a.Usage.CompletionTokens)},
	}
	switch {
	case first.FinishReason == "content_filter", first.Message.Refusal != "" && strings.TrimSpace(out.Text) == "":
		out.Finish = llm.FinishRefused
	case first.FinishReason == "length":
		out.Finish = llm.FinishLength
	}
	return out, nil
}

// chatTokens is a count that a server tells, bounded.
func chatTokens(n float64) int { return int(min(max(n, 0), 1<<30)) }

// chatTooLong is what servers say of a request that is longer than the context: OpenAI and vLLM, llama.cpp, and gateways to them.
var chatTooLong = []string{"context_length_exceeded", "maximum context length", "exceed_context_size", "exceeds the available context size"}

// chatHint adds what to do where a server refused a request for its length.
func chatHint(err error) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return err
	}
	for _, said := range chatTooLong {
		if e.Err != nil && strings.Contains(e.Err.Error(), said) {
			long := *e
			long.Msg, long.Retryable, long.RetryAfter = "The request is longer than the language model can read.", false, 0
			return long.WithHint("Set context_tokens to what the server takes, or raise that (--ctx-size, --max-model-len).")
		}
	}
	return err
}
