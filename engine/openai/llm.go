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

// LLMConfig says which language model to ask over the protocol of chat completions, which OpenAI, Ollama, llama.cpp's server, vLLM and many
// others speak.
type LLMConfig struct {
	URL           string            // up to and without /chat/completions; default https://api.openai.com/v1
	Key           string            // sent as Authorization: Bearer; "" for none
	Model         string            // required
	Name          string            // of the server in messages; default "OpenAI" at its own address, else "The language model"
	ContextTokens int               // of a request and its answer together; default llm.DefaultContextTokens. Ollama must be told as well (OLLAMA_CONTEXT_LENGTH): this protocol can't
	AnswerTokens  int               // most tokens of an answer; default llm.DefaultAnswerTokens
	Temperature   *float64          // 0 to 2; nil leaves it to the server, as models that reason refuse any
	NoJSONMode    bool              // don't send response_format, for servers that refuse it; the prompt asks for JSON all the same
	Timeout       time.Duration     // of an exchange; default that of backend.Config
	Transport     http.RoundTripper // default that of backend.Config
	Clock         engine.Clock      // default the system's
}

// NewLLM checks an LLMConfig, as CodeInvalid, and returns its Model.
//
// How long an answer may be is sent as max_completion_tokens to api.openai.com, where max_tokens is deprecated and newer models refuse
// it, and as max_tokens to every other server, because that is the one that all know. A server that refuses max_tokens and names
// max_completion_tokens, as Azure and gateways to OpenAI do, is sent that from then on. Both mean the same, but that the
// latter counts reasoning too.
func NewLLM(c LLMConfig) (*llm.Model, error) {
	const op = "openai.NewLLM"
	if c.URL == "" {
		c.URL = defaultChatURL
	}
	if strings.TrimSpace(c.Model) == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The language model has no name.").WithHint("Give the name that the server knows it by.")
	}
	if c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 2) {
		return nil, engine.Errorf(engine.CodeInvalid, op, "The temperature must be between 0 and 2.")
	}
	own := false
	if u, err := url.Parse(c.URL); err == nil {
		own = u.Hostname() == "api.openai.com"
	}
	if c.Name == "" {
		c.Name = "The language model"
		if own {
			c.Name = "OpenAI"
		}
	}
	header := map[string]string{}
	if c.Key != "" {
		header["Authorization"] = "Bearer " + c.Key
	}
	client, err := backend.New(backend.Config{Name: c.Name, URL: c.URL, Header: header, Transport: c.Transport, Timeout: c.Timeout, Clock: c.Clock})
	if err != nil {
		return nil, err
	}
	chat := &chat{cfg: c, client: client}
	chat.completionTokens.Store(own)
	return llm.New(llm.Config{Completer: chat, Name: c.Name, ContextTokens: c.ContextTokens, AnswerTokens: c.AnswerTokens})
}

const defaultChatURL = "https://api.openai.com/v1"

// chat is an llm.Completer over chat completions.
type chat struct {
	cfg              LLMConfig
	client           *backend.Client
	completionTokens atomic.Bool // whether to send max_completion_tokens
}

// Complete sends one request, and once more where the server wants the other name for max_tokens.
func (c *chat) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	newer := c.completionTokens.Load()
	a, err := c.send(ctx, r, newer)
	if refusal, ok := errors.AsType[*backend.Refusal](err); ok && !newer && refusal.Status == http.StatusBadRequest && strings.Contains(refusal.Said, "max_completion_tokens") {
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
	return answer.read(c.cfg.Name)
}
