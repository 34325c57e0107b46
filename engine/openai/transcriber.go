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

// Dialect is a variant of the transcription API.
type Dialect string

const (
	OpenAI     Dialect = "openai"     // POST {URL}/audio/transcriptions
	WhisperCPP Dialect = "whispercpp" // POST {URL}/inference, of whisper.cpp's server
)

// TranscriberConfig configures a Transcriber.
type TranscriberConfig struct {
	Dialect   Dialect           // default OpenAI
	Name      string            // the server's name in errors; default "OpenAI" at OpenAI's own URL, "whisper.cpp" for WhisperCPP, else "The transcriber"
	URL       string            // default https://api.openai.com/v1, or http://127.0.0.1:8080 for WhisperCPP
	Key       string            // secret; required at OpenAI's own URL
	Model     string            // default whisper-1; WhisperCPP uses the model it has loaded
	Media     engine.Media      // required
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // for dates in Retry-After; default the system clock
	Timeout   time.Duration     // for one part; default 10 minutes

	// Concurrency is the number of parts of one recording that are sent concurrently: default 4. It is always 1 for
	// WhisperCPP, which transcribes one at a time.
	Concurrency int
	// Limits is the maximum size of a part: default 24 MB, of OpenAI's 25 MB, and 10 minutes. For a model without times,
	// the default is 1 minute: word times are estimated within a part, and these models omit the end of long audio.
	Limits speech.Limits
}

const (
	openAIURL     = "https://api.openai.com/v1"
	whisperCPPURL = "http://127.0.0.1:8080"
	defaultModel  = "whisper-1"
	maxAnswer     = 8 << 20 // bytes; ten minutes of words with all tokens take less than 1 MB
)

// Transcriber transcribes speech over HTTP. It sends long media in parts (speech.Parts), and stores finished parts in the
// request's notes, so that a retry doesn't send them again. Words without times get estimated times within their segment,
// and are marked so. The engine applies custom spellings. Transcriber is safe for concurrent use.
type Transcriber struct {
	cfg    TranscriberConfig
	client *backend.Client
	parts  speech.Parts
	format format
}

var _ engine.Transcriber = (*Transcriber)(nil)

// NewTranscriber returns a Transcriber. It sends no request. It returns CodeInvalid if the config is not valid.
func NewTranscriber(c TranscriberConfig) (*Transcriber, error) {
	const op = "openai.NewTranscriber"
	if c.Dialect == "" {
		c.Dialect = OpenAI
	}
	switch {
	case c.Dialect != OpenAI && c.Dialect != WhisperCPP:
		return nil, engine.Errorf(engine.CodeInvalid, op, "Unknown dialect %q.", c.Dialect).WithHint("Use openai or whispercpp.")
	case c.Media == nil:
		return nil, engine.Errorf(engine.CodeInvalid, op, "Media must not be nil.").WithHint("Set Media to a decoder.")
	}
	c = c.withDefaults()
	if c.URL == openAIURL && c.Key == "" {
		return nil, engine.Errorf(engine.CodeInvalid, op, "OpenAI needs a key, and none is set.").WithHint("Set Key, or the URL of another server.")
	}
	header := map[string]string{}
	if c.Key != "" {
		header["Authorization"] = "Bearer " + c.Key
	}
	client, err := backend.New(backend.Config{
		Name: c.Name, URL: c.URL, Model: c.Model, URLHint: urlHint(c.Dialect), Header: header, Transport: c.Transport, Timeout: c.Timeout, MaxAnswer: maxAnswer, Clock: c.Clock,
	})
	if err != nil {
		return nil, err
	}
	return &Transcriber{
		cfg: c, client: client, format: formatOf(c.Dialect, c.Model),
		parts: speech.Parts{Media: c.Media, Limits: c.Limits, Concurrency: c.Concurrency, Model: named(c.Name, c.Model)},
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
		c.Name = "The transcriber"
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

// Transcribe sends the audio and returns the transcription. It returns the errors of Media, of ctx, and of the request's
// notes; CodeUnavailable for failures of the server or the network, Retryable if another attempt may succeed; and
// CodeNoSpace.
func (t *Transcriber) Transcribe(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
	key := strings.Join([]string{"openai", string(t.cfg.Dialect), t.cfg.URL, t.cfg.Model, t.format.name}, "\n")
	return t.parts.Transcribe(ctx, req, key, func(ctx context.Context, part speech.Part) (speech.Result, error) {
		body, err := backend.Form(t.fields(req), backend.File{
			Field: "file", Name: "audio.wav", Type: speech.WaveType, Size: part.Size(), Open: part.Open,
		})
		if err != nil {
			return speech.Result{}, err
		}
		var a answer
		if err := t.client.Get(ctx, backend.Request{Path: t.path(), Body: body}, &a); err != nil {
			return speech.Result{}, t.clearerError(err)
		}
		if err := a.failure(t.client); err != nil {
			return speech.Result{}, err
		}
		return a.heard(req.Language, part.Duration), nil
	})
}

// urlHint says what the URL of a server looks like.
func urlHint(d Dialect) string {
	if d == WhisperCPP {
		return "It has no path, unless whisper-server has a --request-path."
	}
	return "It usually ends with /v1."
}

// named returns the name of a server and its model, for messages.
func named(server, model string) string {
	if model == "" {
		return server
	}
	return server + " (" + model + ")"
}

func (t *Transcriber) path() string {
	if t.cfg.Dialect == WhisperCPP {
		return "/inference"
	}
	return "/audio/transcriptions"
}

// clearerError returns a clearer error if the server refused the response format. There is no fallback: no other format has
// as much detail, and a poorer one would silently lose the times of all words.
func (t *Transcriber) clearerError(err error) error {
	e, isOurs := errors.AsType[*engine.Error](err)
	refusal, refused := errors.AsType[*backend.Refusal](err)
	if !isOurs || !refused || refusal.Status != http.StatusBadRequest && refusal.Status != http.StatusUnprocessableEntity {
		return err
	}
	for _, name := range []string{t.format.name, "response_format", "timestamp_granularities"} {
		if strings.Contains(strings.ToLower(refusal.Body), name) {
			return engine.Errorf(e.Code, e.Op, "%s does not support the required response format %s for this model.", t.cfg.Name, t.format.name).
				WithHint("Choose a model with word timestamps, such as whisper-1, or check what the server supports.").Because(refusal)
		}
	}
	return err
}
