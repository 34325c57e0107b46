package openai

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// The wire form of chat completions. Source: https://platform.openai.com/docs/api-reference/chat/create, and the documentation of Ollama,
// llama.cpp, and vLLM.
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
			FinishReason string          `json:"finish_reason"`
			Error        json.RawMessage `json:"error"` // of OpenRouter, if the provider broke off
		} `json:"choices"`
		Usage struct {
			PromptTokens     float64 `json:"prompt_tokens"`
			CompletionTokens float64 `json:"completion_tokens"`
		} `json:"usage"`
		Error json.RawMessage `json:"error"` // some gateways report errors with status 200
	}
)

// chatContent is the text of a message: a string, null, or a list of parts, of which only text counts.
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

// read converts the response to an llm.Answer. It ignores reasoning (reasoning_content, reasoning).
func (a chatAnswer) read(c *backend.Client) (llm.Answer, error) {
	cause := c.Reported(a.Error)
	if len(a.Choices) == 0 {
		e := engine.Errorf(engine.CodeUnavailable, "", "The response from %s contains no answer.", c.Inside()).Transient()
		if cause != nil {
			return llm.Answer{}, e.Because(cause).WithHint("The server reported an error: look into its log.")
		}
		return llm.Answer{}, e.WithHint("The server may speak another protocol: check the URL.")
	}
	first := a.Choices[0]
	if cause == nil {
		cause = c.Reported(first.Error)
	}
	if cause != nil || first.FinishReason == "error" {
		return llm.Answer{}, engine.Errorf(engine.CodeUnavailable, "", "%s reported an error instead of a whole answer.", c.Name()).Transient().
			Because(cause).WithHint("Try again. If it fails again, look into the log of the server.")
	}
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

// chatTokens converts a server's token count, limited to a valid range.
func chatTokens(n float64) int { return int(min(max(n, 0), 1<<30)) }

// chatTooLong lists the error texts of servers for a request that exceeds the context: OpenAI and vLLM, llama.cpp, and gateways.
var chatTooLong = []string{"context_length_exceeded", "maximum context length", "exceed_context_size", "exceeds the available context size"}

// chatHint adds a hint if a server refused a request because of its length.
func chatHint(err error) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok {
		return err
	}
	for _, said := range chatTooLong {
		if e.Err != nil && strings.Contains(e.Err.Error(), said) {
			long := *e
			long.Msg, long.Retryable, long.Outage, long.RetryAfter = "The request does not fit in the language model's context.", false, false, 0
			return long.WithHint("Set --llm-context-tokens to the server's context size, or raise that (--ctx-size, --max-model-len).")
		}
	}
	return err
}
