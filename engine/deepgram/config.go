package deepgram

import (
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// name is the server's, as users know it.
const name = "Deepgram"

// Config says whose account is used and how. Only Key is required.
type Config struct {
	URL       string            // default https://api.deepgram.com; or that of a server of one's own
	Key       string            // of the account
	Model     string            // default nova-3, which knows all of engine.Languages, as nova-2 does; others know fewer
	Media     engine.Media      // decodes media of more bytes than may be sent; those are refused when nil
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // of dates in Retry-After; default the system's
	Timeout   time.Duration     // of the request, which sends the media and waits for its words; default two hours
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

// New returns a Transcriber. CodeInvalid when the key is missing or the address is none. Nothing is sent.
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
