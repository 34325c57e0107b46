package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/speech"
)

// Dialect is how a server is asked for a transcription.
type Dialect string

const (
	OpenAI     Dialect = "openai"     // POST {URL}/audio/transcriptions
	WhisperCPP Dialect = "whispercpp" // POST {URL}/inference, of the server that comes with whisper.cpp
)

// TranscriberConfig says which server hears, and how much it takes at once.
type TranscriberConfig struct {
	Dialect   Dialect           // default OpenAI
	Name      string            // of the server, as users know it; default "OpenAI" at OpenAI's own URL, else "Transcription"
	URL       string            // default https://api.openai.com/v1, and http://127.0.0.1:8080 of WhisperCPP
	Key       string            // secret; required at OpenAI's own URL
	Model     string            // default whisper-1, and whatever WhisperCPP has loaded
	Media     engine.Media      // required
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // tells when a date in Retry-After is; default the system's
	Timeout   time.Duration     // of one part; default 10 minutes

	// Concurrency is how many parts of one recording are sent at once: default 4, and always 1 of WhisperCPP, which hears one at a time.
	Concurrency int
	// Limits is what the server takes at once: default 24 MB, of 25 MB that OpenAI takes, and 10 minutes. Of a model that tells no times
	// it is a minute: words are then a guess inside of what was sent, and those models leave out the end of what is long.
	Limits speech.Limits
}

const (
	openAIURL     = "https://api.openai.com/v1"
	whisperCPPURL = "http://127.0.0.1:8080"
	defaultModel  = "whisper-1"
	maxAnswer     = 8 << 20 // bytes; ten minutes of words with all their tokens are less than one megabyte
)

// Transcriber hears speech over HTTP. Long media is heard in parts (speech.Parts): what has been heard is kept in the request's notes and
// not sent again. Words without times are laid inside their segment and marked; custom spellings are the engine's. It is safe for
// concurrent use.
type Transcriber struct {
	cfg    TranscriberConfig
	client *backend.Client
	parts  speech.Parts
	format format
}

var _ engine.Transcriber = (*Transcriber)(nil)

// NewTranscriber checks a config. It sends nothing. Errors: CodeInvalid.
func NewTranscriber(c TranscriberConfig) (*Transcriber, error) {
	const op = "openai.NewTranscriber"
	if c.Dialect == "" {
		c.Dialect = OpenAI
	}
	switch {
	case c.Dialect != OpenAI && c.Dialect != WhisperCPP:
		return nil, engine.Errorf(engine.CodeInvalid, op, "%q is no dialect.", c.Dialect).WithHint("It is openai or whispercpp.")
	case c.Media == nil:
		return nil, engine.Errorf(engine.CodeInvalid, op, "A transcriber needs something that decodes media.").WithHint("Set Media.")
	}
	c = c.withDefaults()
	if c.URL == openAIURL && c.Key == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "OpenAI wants a key.").WithHint("Set Key, or the URL of another server.")
	}
	header := map[string]string{}
	if c.Key != "" {
		header["Authorization"] = "Bearer " + c.Key
	}
	client, err := backend.New(backend.Config{
		Name: c.Name, URL: c.URL, Header: header, Transport: c.Transport, Timeout: c.Timeout, MaxAnswer: maxAnswer, Clock: c.Clock,
	})
	if err != nil {
		return nil, err
	}
	return &Transcriber{
		cfg: c, client: client, format: formatOf(c.Dialect, c.Model),
		parts: speech.Parts{Media: c.Media, Limits: c.Limits, Concurrency: c.Concurrency},
	}, nil
}

func (c TranscriberConfig) withDefaults() TranscriberConfig {
	if c.Dialect == WhisperCPP {
		c.Concurrency = 1
		if c.URL == "" {
			c.URL = whisperCPPURL
		}
		if c.Name == "" {
			c.Name = "whisper.cpp"
		}
	} else if c.Model == "" {
		c.Model = defaultModel
	}
	if c.URL == "" {
		c.URL = openAIURL
	}
	if c.URL = strings.TrimRight(c.URL, "/"); c.Name == "" {
		c.Name = "Transcription"
		if c.URL == openAIURL {
			c.Name = "OpenAI"
		}
	}
	if c.Concurrency <= 0 {
		c.Concurrency = 4
	}
	if c.Limits.MaxBytes <= 0 {
		c.Limits.MaxBytes = 24_000_000
	}
	if c.Limits.MaxDuration <= 0 {
		c.Limits.MaxDuration = 10 * time.Minute
		if formatOf(c.Dialect, c.Model).times == none {
			c.Limits.MaxDuration = time.Minute
		}
	}
	return c
}

// Transcribe sends the sound and returns what the server heard. Errors: those of Media, of ctx and of the request's notes;
// CodeUnavailable for whatever the server or the network did, Retryable where another try may help; CodeNoSpace.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	key := strings.Join([]string{"openai", string(t.cfg.Dialect), t.cfg.URL, t.cfg.Model, t.format.name}, "\n")
	return t.parts.Transcribe(ctx, req, key, func(ctx context.Context, part speech.Part) (speech.Heard, error) {
		body, err := backend.Form(t.fields(req), backend.File{
			Field: "file", Name: "audio.wav", Type: speech.WaveType, Size: part.Size(), Open: part.Open,
		})
		if err != nil {
			return speech.Heard{}, err
		}
		var a answer
		if err := t.client.Get(ctx, backend.Request{Path: t.path(), Body: body}, &a); err != nil {
			return speech.Heard{}, t.explained(err)
		}
		return a.heard(req.Language, part.Duration), nil
	})
}

func (t *Transcriber) path() string {
	if t.cfg.Dialect == WhisperCPP {
		return "/inference"
	}
	return "/audio/transcriptions"
}

// explained says of a refusal that it is about the form of the answer, where it is: there is no other form with as much in it, and to ask
// for less without a word would cost every time of every word.
func (t *Transcriber) explained(err error) error {
	e, isOurs := errors.AsType[*engine.Error](err)
	refusal, refused := errors.AsType[*backend.Refusal](err)
	if !isOurs || !refused || refusal.Status != http.StatusBadRequest && refusal.Status != http.StatusUnprocessableEntity {
		return err
	}
	for _, name := range []string{t.format.name, "response_format", "timestamp_granularities"} {
		if strings.Contains(strings.ToLower(refusal.Said), name) {
			return engine.Errorf(e.Code, e.Op, "%s does not answer in the form that is needed of the model (%s).", t.cfg.Name, t.format.name).
				WithHint("Choose a model that tells the times of words, such as whisper-1, or check what the server supports.").Because(refusal)
		}
	}
	return err
}
