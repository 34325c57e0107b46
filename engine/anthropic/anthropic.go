// Package anthropic connects Anthropic's language models to the engine, with the Messages API. Start with New; the
// *llm.Model is an engine.LLM, engine.Suggester, and engine.Translator:
//
//	model, err := anthropic.New(anthropic.Config{Key: key, Model: "claude-haiku-4-5"})
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

// Config configures a model.
type Config struct {
	URL           string            // without /v1/messages; default https://api.anthropic.com
	Key           string            // sent as x-api-key; required at the default URL
	Model         string            // required
	ContextTokens int               // request and answer together; default DefaultContextTokens
	AnswerTokens  int               // token limit of an answer; default llm.DefaultAnswerTokens
	Temperature   *float64          // 0 to 1; nil for the server's default
	Timeout       time.Duration     // for one exchange; default as in backend.Config
	Transport     http.RoundTripper // default as in backend.Config
	Clock         engine.Clock      // default the system clock
}

const (
	// DefaultContextTokens is the context size of every model of this API.
	DefaultContextTokens = 200_000

	defaultURL = "https://api.anthropic.com"
	version    = "2023-06-01" // of the API
	name       = "Anthropic"
)

// New returns a Model. It returns CodeInvalid if the Config is not valid.
func New(c Config) (*llm.Model, error) {
	const op = "anthropic.New"
	switch {
	case strings.TrimSpace(c.Model) == "":
		return nil, engine.Errorf(engine.CodeInvalid, op, "Model must not be empty.").WithHint("Set it to Anthropic's name of the model.")
	case c.Key == "" && c.URL == "":
		return nil, engine.Errorf(engine.CodeInvalid, op, "Anthropic needs a key, and none is set.")
	case c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 1):
		return nil, engine.Errorf(engine.CodeInvalid, op, "Temperature must be between 0 and 1 (got %v).", *c.Temperature)
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
	client, err := backend.New(backend.Config{Name: name, URL: c.URL, Model: c.Model, URLHint: "It ends before /v1/messages.", Header: header, Transport: c.Transport, Timeout: c.Timeout, Clock: c.Clock})
	if err != nil {
		return nil, err
	}
	return llm.New(llm.Config{Completer: &messages{c, client}, Name: name, Model: c.Model, ContextTokens: c.ContextTokens, AnswerTokens: c.AnswerTokens})
}

// messages is an llm.Completer for the Messages API. The API has no JSON mode without a schema, so the prompt asks for JSON.
type messages struct {
	cfg    Config
	client *backend.Client
}

// Complete sends one request. Status 529, service overloaded, is Retryable like any status from 500.
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
