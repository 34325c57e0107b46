package assemblyai

import (
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/backend"
)

// name is the server's, as users know it.
const name = "AssemblyAI"

// Config says whose account is used and how. Only Key is required.
type Config struct {
	URL       string            // default https://api.assemblyai.com; the one of the European Union is https://api.eu.assemblyai.com
	Key       string            // of the account
	Model     string            // speech models in order of preference, with commas; default the account's
	Media     engine.Media      // decodes media of more bytes than may be uploaded; those are refused when nil
	Transport http.RoundTripper // default backend.NewTransport()
	Clock     engine.Clock      // of the pauses between two polls, and of dates in Retry-After; default the system's

	Poll          time.Duration // the first pause between two polls, which grow to ten seconds; default a second
	Wait          time.Duration // how long one try waits for a transcript; default four hours
	Timeout       time.Duration // of an exchange that is no upload; default a minute
	UploadTimeout time.Duration // default two hours
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
	upload *backend.Client // the same with more patience
}

var _ engine.Transcriber = (*Transcriber)(nil)

// New returns a Transcriber. CodeInvalid when the key is missing or the address is none. Nothing is sent.
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
		c.Clock = systemClock{}
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

// systemClock is the machine's clock.
type systemClock struct{}

func (systemClock) Now() time.Time                        { return time.Now() }
func (systemClock) NewTimer(d time.Duration) engine.Timer { return systemTimer{time.NewTimer(d)} }

type systemTimer struct{ t *time.Timer }

func (t systemTimer) C() <-chan time.Time { return t.t.C }
func (t systemTimer) Stop() bool          { return t.t.Stop() }
