package deepgram

import (
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// name is the server's name in errors.
const name = "Deepgram"

// Config configures a Transcriber. Only Key is required.
type Config struct {
	URL       string            // default https://api.deepgram.com; set it for a self-hosted server
	Key       string            // API key of the account
	Model     string            // default nova-3; it and nova-2 support all of engine.Languages, others fewer
	Media     engine.Media      // decodes media that is too large to send; if nil, such media is CodeTooLarge
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // for dates in Retry-After; default the system clock
	Timeout   time.Duration     // for the request: sending the media and waiting for the words; default 2 hours
}

const (
	defaultURL     = "https://api.deepgram.com"
	defaultModel   = "nova-3"
	defaultTimeout = 2 * time.Hour
	maxMedia       = 2_000_000_000
)

// Transcriber is an engine.Transcriber. It is safe for concurrent use.
type Transcriber struct {
	cfg    Config
	client *backend.Client
}

var _ engine.Transcriber = (*Transcriber)(nil)

// New returns a Transcriber. It returns CodeInvalid if the key is missing or the URL is not valid. It sends no request.
func New(c Config) (*Transcriber, error) {
	if strings.TrimSpace(c.Key) == "" {
		return nil, engine.Errorf(engine.CodeInvalid, "deepgram.New", "The key of %s is missing.", name).
			WithHint("Get one from your account at https://console.deepgram.com.")
	}
	if c.URL == "" {
		c.URL = defaultURL
	}
	if c.Model == "" {
		c.Model = defaultModel
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	client, err := backend.New(backend.Config{
		Name: name, URL: c.URL, Header: map[string]string{"Authorization": "Token " + strings.TrimSpace(c.Key)},
		Transport: c.Transport, Timeout: c.Timeout, Clock: c.Clock,
	})
	if err != nil {
		return nil, err
	}
	return &Transcriber{cfg: c, client: client}, nil
}
