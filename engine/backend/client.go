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

// Config says which server a Client talks to.
type Config struct {
	Name      string            // of the server, as users know it: "OpenAI"
	URL       string            // what the paths of requests are appended to: "https://api.openai.com/v1"
	Header    map[string]string // of every request; secrets are in here
	Transport http.RoundTripper // default NewTransport(); a Recorder or a Player may stand here
	Timeout   time.Duration     // of an exchange; default 10 minutes
	MaxAnswer int64             // bytes of an answer; default 64 MiB
	Clock     engine.Clock      // tells when a date in Retry-After is; default the system's
}

// Client talks to one server. It is safe for concurrent use.
type Client struct {
	cfg     Config
	base    *url.URL
	http    *http.Client
	secrets secrets // that no error tells, whoever said them
}

const (
	defaultTimeout   = 10 * time.Minute
	defaultMaxAnswer = 64 << 20
	maxErrorText     = 500      // bytes of what a server says about an error
	maxErrorBody     = 64 << 10 // bytes that are read of it
)

// New checks a Config, as CodeInvalid, and returns its Client.
func New(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(c.URL, "/"))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.Fragment != "" {
		return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "%q is not the address of a server.", withoutUser(c.URL)).
			WithHint("Write it with its scheme, for example http://127.0.0.1:8080.")
	}
	if base.User != nil {
		return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "The address of %s has a password in it.", c.Name).
			WithHint("Give the key on its own.")
	}
	header := http.Header{}
	var hidden []string
	for name, value := range c.Header {
		if strings.ContainsFunc(name+value, unicode.IsControl) {
			return nil, engine.Errorf(engine.CodeInvalid, "backend.New", "The key of %s has a line break or another control character in it.", c.Name).
				WithHint("Write the key into its file or variable without anything else.")
		}
		header.Set(name, value)
		if len(value) >= leastSecretOnFile {
			hidden = append(hidden, value) // whatever its name is
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
		// A key is for one server, and no protocol here redirects.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Client{cfg: c, base: base, http: client, secrets: newSecrets(leastSecret, hidden...)}, nil
}

// Name is the server's.
func (c *Client) Name() string { return c.cfg.Name }

// Request is one request.
type Request struct {
	Method string // default POST with a Body, else GET
	Path   string // behind Config.URL, with a slash in front
	Query  url.Values
	Body   *Body // nil for none
}

// Answer is what a server said with a status of 2xx.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request and reads its answer. Errors: CodeUnavailable for whatever the server or the network did, Retryable where another
// try may help, with RetryAfter where the server asked for it; CodeCanceled when ctx is done; an *engine.Error that the Body or the
// Transport returned as it is.
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
		// Whether all of it arrives doesn't matter: the status says enough.
		body, _ := io.ReadAll(io.LimitReader(resp.Body, min(maxErrorBody, c.cfg.MaxAnswer)))
		if ctx.Err() != nil {
			return Answer{}, c.ended(ctx)
		}
		return Answer{}, c.refused(resp, body)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.cfg.MaxAnswer+1))
	if err != nil {
		return Answer{}, c.broken(ctx, err)
	}
	if int64(len(body)) > c.cfg.MaxAnswer {
		return Answer{}, c.errorf("The answer of %s is longer than %s.", c.cfg.Name, bytesText(c.cfg.MaxAnswer))
	}
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// Get is Do, with the answer's JSON in v: fields that v doesn't have are left out, and NaN and infinities, which some servers write, are
// null. An answer that isn't JSON is an error that may be tried again, as a proxy in between may have given it.
func (c *Client) Get(ctx context.Context, r Request, v any) error {
	a, err := c.Do(ctx, r)
	if err != nil {
		return err
	}
	if err := Decode(a.Body, v); err != nil {
		mediaType, _, _ := mime.ParseMediaType(c.secrets.mask(a.Header.Get("Content-Type")))
		e := c.errorf("The answer of %s could not be understood.", c.cfg.Name).Transient().
			Because(c.told(fmt.Errorf("%s, %d bytes: %w", mediaType, len(a.Body), err)))
		if mediaType != "" && !strings.HasSuffix(mediaType, "json") {
			e = e.WithHint("It is " + safe(mediaType, 50) + ", not JSON: check the address.")
		}
		return e
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
		return req, nil // to http.Request, 0 bytes of a Body are an unknown number
	}
	if req.Body, err = r.Body.Open(); err != nil {
		return nil, err
	}
	req.GetBody, req.ContentLength = r.Body.Open, r.Body.Size
	return req, nil
}

func (c *Client) errorf(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, c.cfg.Name, format, args...)
}

// isEngines reports whether an error is one of ours, which came from a Body or a Transport, and returns it.
func isEngines(err error) (*engine.Error, bool) {
	return errors.AsType[*engine.Error](err)
}
