package anthropic

import (
	"errors"
	"fmt"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// The wire form of the Messages API. Source: https://docs.claude.com/en/api/messages, and /en/api/handling-stop-reasons.
type (
	request struct {
		Model       string    `json:"model"`
		MaxTokens   int       `json:"max_tokens"`
		System      string    `json:"system,omitempty"`
		Messages    []message `json:"messages"`
		Temperature *float64  `json:"temperature,omitempty"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	answer struct {
		Type       string  `json:"type"` // "message"
		Content    []block `json:"content"`
		StopReason string  `json:"stop_reason"`
		Usage      struct {
			Input   float64 `json:"input_tokens"` // without cached tokens
			Cached  float64 `json:"cache_read_input_tokens"`
			Caching float64 `json:"cache_creation_input_tokens"`
			Output  float64 `json:"output_tokens"`
		} `json:"usage"`
	}
	block struct {
		Type string `json:"type"` // "text"; others, such as "thinking", are ignored
		Text string `json:"text"`
	}
)

// finishes maps each stop_reason except a normal end.
var finishes = map[string]llm.Finish{
	"max_tokens":                    llm.FinishLength,
	"model_context_window_exceeded": llm.FinishLength,
	"refusal":                       llm.FinishRefused,
}

// read converts the response to an llm.Answer.
func (a answer) read() (llm.Answer, error) {
	if a.Type != "message" {
		return llm.Answer{}, engine.Errorf(engine.CodeUnavailable, "", "The response from %s contains no answer.", name).Transient().
			Because(fmt.Errorf("its type is %.50q", a.Type)).WithHint("The server may speak another protocol: check the URL.")
	}
	out := llm.Answer{Finish: llm.FinishStop, Usage: llm.Usage{
		Prompt: tokens(a.Usage.Input + a.Usage.Cached + a.Usage.Caching), Answer: tokens(a.Usage.Output),
	}}
	if f, ok := finishes[a.StopReason]; ok {
		out.Finish = f
	}
	var text strings.Builder
	for _, b := range a.Content {
		if b.Type == "text" {
			text.WriteString(b.Text)
		}
	}
	out.Text = text.String()
	return out, nil
}

// tokens converts a server's token count, limited to a valid range.
func tokens(n float64) int { return int(min(max(n, 0), 1<<30)) }

// hinted adds a hint if a request was refused because of its length ("prompt is too long: … tokens > … maximum") or the
// account's balance, which the API also reports as status 400.
func hinted(err error) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Err == nil {
		return err
	}
	switch said := e.Err.Error(); {
	case strings.Contains(said, "prompt is too long"), strings.Contains(said, "exceed context limit"):
		long := *e
		long.Msg = "The request does not fit in the language model's context."
		return long.WithHint("Set --llm-context-tokens to the model's context size.")
	case strings.Contains(said, "credit balance is too low"):
		return e.WithHint("Check the account's balance.")
	}
	return err
}
