// Package anthropic asks Anthropic's language models over the Messages API.
package anthropic

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/llm"
)

// Config says which model to ask.
type Config struct {
	URL           string            // up to and without /v1/messages; default https://api.anthropic.com
	Key           string            // sent as x-api-key; required at the default URL
	Model         string            // required
	ContextTokens int               // of a request and its answer together; default DefaultContextTokens
	AnswerTokens  int               // most tokens of an answer; default llm.DefaultAnswerTokens
	Temperature   *float64          // 0 to 1; nil leaves it to the server
	Timeout       time.Duration     // of an exchange; default that of backend.Config
	Transport     http.RoundTripper // default that of backend.Config
	Clock         engine.Clock      // default the system's
}

const (
	// DefaultContextTokens is what every model of this API takes.
	DefaultContextTokens = 200_000

	defaultURL = "https://api.anthropic.com"
	version    = "2023-06-01" // of the API
	name       = "Anthropic"
)

// New checks a Config, as CodeInvalid, and returns its Model.
func New(c Config) (*llm.Model, error) {
	const op = "anthropic.New"
	switch {
	case strings.TrimSpace(c.Model) == "":
		return nil, engine.Errorf(engine.CodeInvalid, op, "The language model has no name.").WithHint("Give the name that Anthropic knows it by.")
	case c.Key == "" && c.URL == "":
		return nil, engine.Errorf(engine.CodeInvalid, op, "Anthropic wants a key, and there is none.")
	case c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 1):
		return nil, engine.Errorf(engine.CodeInvalid, op, "The temperature must be between 0 and 1.")
	}
	if c.URL == "" {
		c.URL = defaultURL
	}
	if c.ContextTokens == 0 {
		c.ContextTokens = DefaultContextTokens
	}
	header := map[string]string{"anthropic-version": version}
	if c.Key != "" {
		header["x-api-key"] = c.Key
	}
	client, err := backend.New(backend.Config{Name: name, URL: c.URL, Header: header, Transport: c.Transport, Timeout: c.Timeout, Clock: c.Clock})
	if err != nil {
		return nil, err
	}
	return llm.New(llm.Config{Completer: &messages{c, client}, Name: name, ContextTokens: c.ContextTokens, AnswerTokens: c.AnswerTokens})
}

// messages is an llm.Completer over the Messages API. That has no mode for JSON without a schema: the prompt asks for it.
type messages struct {
	cfg    Config
	client *backend.Client
}

// Complete sends one request. A status of 529 says that the service is overloaded and may be tried again, as any status from 500 on.
func (m *messages) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	body, err := backend.JSON(request{
		Model: m.cfg.Model, MaxTokens: r.MaxTokens, System: r.System, Temperature: m.cfg.Temperature,
		Messages: []message{{Role: "user", Content: r.User}},
	})
	if err != nil {
		return llm.Answer{}, err
	}
	var a answer
	if err := m.client.Get(ctx, backend.Request{Path: "/v1/messages", Body: body}, &a); err != nil {
		return llm.Answer{}, hinted(err)
	}
	return a.read()
}
