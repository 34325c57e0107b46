package openai

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// LLMConfig configures a language model with the chat completions API, which OpenAI, Ollama, llama.cpp's server, vLLM,
// and many others implement.
type LLMConfig struct {
	URL           string            // without /chat/completions; default https://api.openai.com/v1
	Key           string            // sent as Authorization: Bearer; "" for none
	Model         string            // required
	Name          string            // the server's name in errors; default "OpenAI" at its own URL, else "The language model"
	ContextTokens int               // request and answer together; default llm.DefaultContextTokens. For Ollama, set OLLAMA_CONTEXT_LENGTH too: the API can't
	AnswerTokens  int               // token limit of an answer; default llm.DefaultAnswerTokens
	Temperature   *float64          // 0 to 2; nil for the server's default, because reasoning models refuse any value
	NoJSONMode    bool              // don't send response_format, for servers that refuse it; the prompt still asks for JSON
	Timeout       time.Duration     // for one exchange; default as in backend.Config
	Transport     http.RoundTripper // default as in backend.Config
	Clock         engine.Clock      // default the system clock
}

// NewLLM returns a Model. It returns CodeInvalid if the LLMConfig is not valid.
//
// It sends the token limit as max_completion_tokens to api.openai.com, where max_tokens is deprecated and newer models
// refuse it. It sends max_tokens to every other server, because all of them know it. If a server refuses it and mentions
// max_completion_tokens, as Azure and gateways to OpenAI do, the Model uses that from then on. The only difference is
// that max_completion_tokens includes reasoning.
func NewLLM(c LLMConfig) (*llm.Model, error) {
	const op = "openai.NewLLM"
	if c.URL == "" {
		c.URL = defaultChatURL
	}
	if strings.TrimSpace(c.Model) == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Model must not be empty.").WithHint("Set it to the server's name of the model.")
	}
	if c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 2) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "Temperature must be between 0 and 2 (got %v).", *c.Temperature)
	}
	isOpenAI := false
	if u, err := url.Parse(c.URL); err == nil {
		isOpenAI = u.Hostname() == "api.openai.com"
	}
	if c.Name == "" {
		c.Name = "The language model"
		if isOpenAI {
			c.Name = "OpenAI"
		}
	}
	header := map[string]string{}
	if c.Key != "" {
		header["Authorization"] = "Bearer " + c.Key
	}
	client, err := backend.New(backend.Config{Name: c.Name, URL: c.URL, Model: c.Model, URLHint: urlHint(OpenAI), Header: header, Transport: c.Transport, Timeout: c.Timeout, Clock: c.Clock})
	if err != nil {
		return nil, err
	}
	chat := &chat{cfg: c, client: client}
	chat.completionTokens.Store(isOpenAI)
	return llm.New(llm.Config{Completer: chat, Name: c.Name, Model: c.Model, ContextTokens: c.ContextTokens, AnswerTokens: c.AnswerTokens})
}

const defaultChatURL = "https://api.openai.com/v1"

// chat is an llm.Completer for chat completions.
type chat struct {
	cfg              LLMConfig
	client           *backend.Client
	completionTokens atomic.Bool // whether to send max_completion_tokens
}

// Complete sends one request. It retries once if the server wants max_completion_tokens instead of max_tokens.
func (c *chat) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	newer := c.completionTokens.Load()
	a, err := c.send(ctx, r, newer)
	if refusal, ok := errors.AsType[*backend.Refusal](err); ok && !newer && refusal.Status == http.StatusBadRequest && strings.Contains(refusal.Body, "max_completion_tokens") {
		c.completionTokens.Store(true)
		a, err = c.send(ctx, r, true)
	}
	return a, err
}

func (c *chat) send(ctx context.Context, r llm.Request, newer bool) (llm.Answer, error) {
	req := chatRequest{
		Model: c.cfg.Model, Temperature: c.cfg.Temperature,
		Messages: []chatMessage{{Role: "system", Content: r.System}, {Role: "user", Content: r.User}},
	}
	if newer {
		req.MaxCompletionTokens = r.MaxTokens
	} else {
		req.MaxTokens = r.MaxTokens
	}
	if r.JSON && !c.cfg.NoJSONMode {
		req.ResponseFormat = &responseFormat{"json_object"}
	}
	body, err := backend.JSON(req)
	if err != nil {
		return llm.Answer{}, err
	}
	var answer chatAnswer
	if err := c.client.Get(ctx, backend.Request{Path: "/chat/completions", Body: body}, &answer); err != nil {
		return llm.Answer{}, chatHint(err)
	}
	return answer.read(c.client)
}
