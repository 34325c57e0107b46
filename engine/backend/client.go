package backend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// Config describes a server.
type Config struct {
	Name      string            // the server's name in errors: "OpenAI"
	URL       string            // prefix of each request's path: "https://api.openai.com/v1"
	Model     string            // the model of its requests, for errors; "" for none
	URLHint   string            // what such a URL looks like, for the hint of status 404: "It usually ends with /v1."
	Header    map[string]string // sent with every request; contains the secrets
	Transport http.RoundTripper // default NewTransport(); may be a Recorder or a Player
	Timeout   time.Duration     // for one exchange; default 10 minutes
	MaxAnswer int64             // size limit of a response in bytes; default 64 MiB
	Clock     engine.Clock      // for dates in Retry-After; default the system clock
}

// Client sends requests to one server. It is safe for concurrent use.
type Client struct {
	cfg     Config
	base    *url.URL
	http    *http.Client
	secrets secrets // masked in every error
}

const (
	defaultTimeout   = 10 * time.Minute
	defaultMaxAnswer = 64 << 20
	maxErrorText     = 500      // bytes of a server's error text that are logged
	maxErrorBody     = 64 << 10 // bytes of an error response that are read
)

// New returns a Client. It returns CodeInvalid if the Config is not valid.
func New(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(c.URL, "/"))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.Fragment != "" {
		return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "%q is not a valid server URL.", withoutUser(c.URL)).
			WithHint("Include the scheme, for example http://127.0.0.1:8080.")
	}
	if base.User != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "The URL of %s contains a password.", c.Name).
			WithHint("Configure the key separately.")
	}
	header := http.Header{}
	var hidden []string
	for name, value := range c.Header {
		if strings.ContainsFunc(name+value, unicode.IsControl) {
			return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "The key of %s contains a line break or another control character.", c.Name).
				WithHint("The key's file or variable must contain nothing but the key.")
		}
		header.Set(name, value)
		if len(value) >= minRecordedSecret {
			hidden = append(hidden, value) // regardless of its name
		}
	}
	hidden = append(hidden, credentials(header)...)
	for name, values := range base.Query() {
		if secretParameter(name) {
			hidden = append(hidden, values...)
		}
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.MaxAnswer <= 0 {
		c.MaxAnswer = defaultMaxAnswer
	}
	if c.Transport == nil {
		c.Transport = NewTransport()
	}
	client := &http.Client{
		Transport: c.Transport,
		// A key must reach only this server, and none of these APIs redirect.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Client{cfg: c, base: base, http: client, secrets: newSecrets(minLoggedSecret, hidden...)}, nil
}

// Name returns the server's name.
func (c *Client) Name() string { return c.cfg.Name }

// Inside returns the server's name as it is written within a sentence.
func (c *Client) Inside() string {
	if rest, ok := strings.CutPrefix(c.cfg.Name, "The "); ok {
		return "the " + rest
	}
	return c.cfg.Name
}

// Request is one request of a Client.
type Request struct {
	Method string // default POST with a Body, else GET
	Path   string // appended to Config.URL; begins with a slash
	Query  url.Values
	Body   *Body // nil for none
}

// Answer is a response with status 2xx.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and reads the response. It returns CodeUnavailable for failures of the server or the network,
// Retryable if another attempt may succeed, with the server's RetryAfter; CodeCanceled when ctx is done. An *engine.Error
// of the Body or the Transport is returned unchanged.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	limited, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	req, err := c.request(limited, r)
	if err != nil {
		return Answer{}, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return Answer{}, c.unreachable(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		// A read error doesn't matter: the status is enough.
		body, _ := io.ReadAll(io.LimitReader(resp.Body, min(maxErrorBody, c.cfg.MaxAnswer)))
		if ctx.Err() != nil {
			return Answer{}, c.canceled(ctx)
		}
		return Answer{}, c.refused(resp, body)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.cfg.MaxAnswer+1))
	if err != nil {
		return Answer{}, c.incomplete(ctx, err)
	}
	if int64(len(body)) > c.cfg.MaxAnswer {
		return Answer{}, c.errorf("The response from %s is longer than %s.", c.Inside(), bytesText(c.cfg.MaxAnswer)).
			WithHint("This is not what such a server answers: check the URL.")
	}
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// Get is Do followed by Decode into v. Unknown fields are ignored. A response that isn't JSON is a Retryable error,
// because a proxy may have sent it.
func (c *Client) Get(ctx context.Context, r Request, v any) error {
	a, err := c.Do(ctx, r)
	if err != nil {
		return err
	}
	if err := Decode(a.Body, v); err != nil {
		mediaType, _, _ := mime.ParseMediaType(c.secrets.mask(a.Header.Get("Content-Type")))
		e := c.errorf("The response from %s could not be parsed.", c.Inside()).Transient().
			Because(c.maskError(fmt.Errorf("%s, %d bytes: %w", mediaType, len(a.Body), err)))
		if mediaType != "" && !strings.HasSuffix(mediaType, "json") {
			return e.WithHint("It is " + oneLine(mediaType, 50) + ", not JSON: check the URL.")
		}
		return e.WithHint("The server may speak another protocol, or a proxy answered: check the URL and the kind of the backend.")
	}
	return nil
}

func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	u := c.base.JoinPath(r.Path)
	q := u.Query()
	for name, values := range r.Query {
		q[name] = values
	}
	u.RawQuery = q.Encode()
	method := r.Method
	if method == "" {
		method = http.MethodGet
		if r.Body != nil {
			method = http.MethodPost
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	for name, value := range c.cfg.Header {
		req.Header.Set(name, value)
	}
	req.Header.Set("Accept", "application/json")
	if r.Body == nil {
		return req, nil
	}
	req.Header.Set("Content-Type", r.Body.Type)
	if r.Body.Size == 0 {
		return req, nil // http.Request treats a Body with length 0 as one of unknown length
	}
	if req.Body, err = r.Body.Open(); err != nil {
		return nil, err
	}
	req.GetBody, req.ContentLength = r.Body.Open, r.Body.Size
	return req, nil
}

// errorf returns an error without an Op: every message has the server's name already.
func (c *Client) errorf(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, "", format, args...)
}

// asEngineError returns an engine error, which came from a Body or a Transport, and whether err is one.
func asEngineError(err error) (*engine.Error, bool) {
	return errors.AsType[*engine.Error](err)
}
