package backends

import (
	"net/http"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/anthropic"
	"github.com/soundstage-dev/soundstage/engine/assemblyai"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/engine/deepgram"
	"github.com/soundstage-dev/soundstage/engine/llm"
	"github.com/soundstage-dev/soundstage/engine/openai"
)

// kind is a kind of service. To add one, add a row to its table: help, README, and doctor are derived from it.
type kind struct {
	name         string   // as in flags
	product      string   // in messages
	about        string   // description, for the README
	url          string   // default address
	variable     string   // environment variable of the provider's own tools; used only with url
	keyAlways    bool     // a key is required for every URL
	model        modelUse // whether the model can be chosen
	example      string   // name of a model
	defaultModel string   // default model
	program      bool     // a program, not a server

	transcriber func(settings) (engine.Transcriber, error)
	writer      func(settings) (*llm.Model, error)
}

// modelUse says whether a service has a choice of models.
type modelUse int

const (
	noModel       modelUse = iota // the server has one model
	optionalModel                 // optional: there is a default
	requiredModel                 // required: there is no default
)

// settings are the arguments of a service's constructor.
type settings struct {
	url, key, model string
	transport       http.RoundTripper
	clock           engine.Clock

	media   engine.Media  // of a transcriber
	command []string      // of a program
	around  around        // of a program: records or replays its output; nil for neither
	timeout time.Duration // of a transcriber

	contextTokens, answerTokens int // of a language model
}

// transcribers are the kinds of transcribers, in the order in which the help lists them.
var transcribers = []kind{
	{name: Fake, about: "the default: invented words"},
	{
		name: "openai", product: "OpenAI", url: "https://api.openai.com/v1", variable: "OPENAI_API_KEY", model: optionalModel, example: "whisper-1",
		about: "`/v1/audio/transcriptions`: OpenAI, speaches, LocalAI, vLLM", defaultModel: "whisper-1",
		transcriber: func(s settings) (engine.Transcriber, error) {
			return openai.NewTranscriber(openai.TranscriberConfig{
				URL: s.url, Key: s.key, Model: s.model, Dialect: openai.OpenAI, Media: s.media, Transport: s.transport, Clock: s.clock, Timeout: s.timeout,
			})
		},
	},
	{
		name: "whispercpp", product: "whisper.cpp", url: "http://127.0.0.1:8080",
		about: "the server that comes with whisper.cpp",
		transcriber: func(s settings) (engine.Transcriber, error) {
			return openai.NewTranscriber(openai.TranscriberConfig{
				URL: s.url, Key: s.key, Dialect: openai.WhisperCPP, Media: s.media, Transport: s.transport, Clock: s.clock, Timeout: s.timeout,
			})
		},
	},
	{
		name: "assemblyai", product: "AssemblyAI", url: "https://api.assemblyai.com", variable: "ASSEMBLYAI_API_KEY", keyAlways: true,
		about: "the service", defaultModel: "the account's",
		model: optionalModel, example: "universal",
		transcriber: func(s settings) (engine.Transcriber, error) {
			return assemblyai.New(assemblyai.Config{
				URL: s.url, Key: s.key, Model: s.model, Media: s.media, Transport: s.transport, Clock: s.clock, Wait: s.timeout,
			})
		},
	},
	{
		name: "deepgram", product: "Deepgram", url: "https://api.deepgram.com", variable: "DEEPGRAM_API_KEY", keyAlways: true,
		about: "the service", defaultModel: "nova-3",
		model: optionalModel, example: "nova-3",
		transcriber: func(s settings) (engine.Transcriber, error) {
			return deepgram.New(deepgram.Config{
				URL: s.url, Key: s.key, Model: s.model, Media: s.media, Transport: s.transport, Clock: s.clock, Timeout: s.timeout,
			})
		},
	},
	{
		name: "command", product: "The program", program: true,
		about: "a program that reads a WAV file and prints JSON: whisper-cli, WhisperX, your own; no shell reads its arguments",
		transcriber: func(s settings) (engine.Transcriber, error) {
			return command.New(command.Config{Program: s.command[0], Args: s.command[1:], Media: s.media, Timeout: s.timeout, Wrap: s.around})
		},
	},
}

// llms are the kinds of language models, in the order in which the help lists them.
var llms = []kind{
	{name: Fake, about: "the default: sentences of the transcript, invented translations"},
	{
		name: "openai", product: "OpenAI", url: "https://api.openai.com/v1", variable: "OPENAI_API_KEY", model: requiredModel, example: "gpt-4o-mini",
		about: "`/v1/chat/completions`: OpenAI, Ollama, llama.cpp, vLLM",
		writer: func(s settings) (*llm.Model, error) {
			return openai.NewLLM(openai.LLMConfig{
				URL: s.url, Key: s.key, Model: s.model, ContextTokens: s.contextTokens, AnswerTokens: s.answerTokens, Transport: s.transport, Clock: s.clock,
			})
		},
	},
	{
		name: "anthropic", product: "Anthropic", url: "https://api.anthropic.com", variable: "ANTHROPIC_API_KEY", model: requiredModel, example: "claude-haiku-4-5",
		about: "the Messages API",
		writer: func(s settings) (*llm.Model, error) {
			return anthropic.New(anthropic.Config{
				URL: s.url, Key: s.key, Model: s.model, ContextTokens: s.contextTokens, AnswerTokens: s.answerTokens, Transport: s.transport, Clock: s.clock,
			})
		},
	},
}

// Transcribers returns the names of all kinds of transcribers.
func Transcribers() []string { return names(transcribers) }

// LLMs returns the names of all kinds of language models.
func LLMs() []string { return names(llms) }

// exampleURL returns a URL of a server of the kind, for hints.
func (k kind) exampleURL() string {
	if k.variable == "OPENAI_API_KEY" {
		return "http://127.0.0.1:8000/v1"
	}
	return k.url
}
