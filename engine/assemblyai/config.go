package assemblyai

import (
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// name is the server's name in errors.
const name = "AssemblyAI"

// Config configures a Transcriber. Only Key is required.
type Config struct {
	URL       string            // default https://api.assemblyai.com; in the European Union, https://api.eu.assemblyai.com
	Key       string            // API key of the account
	Model     string            // speech models in order of preference, separated by commas; default the account's
	Media     engine.Media      // decodes media that is too large to upload; if nil, such media is CodeTooLarge
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // for pauses between polls, and for dates in Retry-After; default the system clock

	Poll          time.Duration // first pause between polls; pauses grow to 10 s; default 1 s
	Wait          time.Duration // limit for waiting for a transcript, per attempt; default 4 hours
	Timeout       time.Duration // for one exchange other than the upload; default 1 minute
	UploadTimeout time.Duration // for the upload; default 2 hours
}

const (
	defaultURL           = "https://api.assemblyai.com"
	defaultPoll          = time.Second
	defaultWait          = 4 * time.Hour
	defaultTimeout       = time.Minute
	defaultUploadTimeout = 2 * time.Hour
)

// Transcriber is an engine.Transcriber. It is safe for concurrent use.
type Transcriber struct {
	cfg    Config
	models []string
	api    *backend.Client
	upload *backend.Client // the same with UploadTimeout
}

var _ engine.Transcriber = (*Transcriber)(nil)

// New returns a Transcriber. It returns CodeInvalid if the key is missing or the URL is not valid. It sends no request.
func New(c Config) (*Transcriber, error) {
	if strings.TrimSpace(c.Key) == "" {
		return nil, engine.Errorf(engine.CodeInvalid, "assemblyai.New", "The key of %s is missing.", name).
			WithHint("Get one from your account at https://www.assemblyai.com.")
	}
	if c.URL == "" {
		c.URL = defaultURL
	}
	c.Poll, c.Wait = orDefault(c.Poll, defaultPoll), orDefault(c.Wait, defaultWait)
	c.Timeout, c.UploadTimeout = orDefault(c.Timeout, defaultTimeout), orDefault(c.UploadTimeout, defaultUploadTimeout)
	if c.Clock == nil {
		c.Clock = queue.SystemClock()
	}
	if c.Transport == nil {
		c.Transport = backend.NewTransport()
	}
	t := &Transcriber{cfg: c, models: strings.FieldsFunc(c.Model, func(r rune) bool { return r == ',' || r == ' ' })}
	var err error
	if t.api, err = t.client(c.Timeout); err == nil {
		t.upload, err = t.client(c.UploadTimeout)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Transcriber) client(timeout time.Duration) (*backend.Client, error) {
	return backend.New(backend.Config{
		Name: name, URL: t.cfg.URL, Header: map[string]string{"Authorization": strings.TrimSpace(t.cfg.Key)},
		Transport: t.cfg.Transport, Timeout: timeout, Clock: t.cfg.Clock,
	})
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d <= 0 {
		return otherwise
	}
	return d
}
