package conformance

import (
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Config selects the server to check and the secrets to check it with.
type Config struct {
	BaseURL string // "http://127.0.0.1:8765"; required

	Secret           string // secret of a user whose plan has every tier; required
	SecretCore       string // secret of the same user with the tier core; without it, tiers are not checked
	SecretAutomation string // secret of the same user with the tier automation
	SecretNone       string // secret of a user without a plan
	SecretOther      string // secret of a second user with every tier; without it, isolation is not checked

	MediaURL      string // audio with speech that the server can download; by default the run serves it if BaseURL is a loopback address
	WebhookListen string // host:port to receive webhooks on; by default a free port if BaseURL is a loopback address
	WebhookURL    string // URL at which the server reaches WebhookListen; default http:// and the listening address

	Only    string        // comma-separated patterns of statement ids, such as "recordings.*,usage.*"; default all
	Timeout time.Duration // limit for one piece of asynchronous work; default 2 min
	Workers int           // concurrent checks; default 16, because most of them wait for the server
}

const op = "conformance"

// check returns c with defaults filled in, or CodeInvalid.
func (c Config) check() (Config, error) {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if u, err := url.Parse(c.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return c, engine.Errorf(engine.CodeInvalid, op, "%q is not a valid base URL.", c.BaseURL).
			WithHint("Give an http or https URL without /v1, for example http://127.0.0.1:8765.")
	}
	if c.Secret == "" {
		return c, engine.Errorf(engine.CodeInvalid, op, "The API secret is missing.")
	}
	for _, s := range []string{c.Secret, c.SecretCore, c.SecretAutomation, c.SecretNone, c.SecretOther} {
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return c, engine.Errorf(engine.CodeInvalid, op, "A secret contains a space or a character that HTTP headers don't allow.")
		}
	}
	for _, u := range []string{c.MediaURL, c.WebhookURL} {
		if u != "" && !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
			return c, engine.Errorf(engine.CodeInvalid, op, "%q is not an http or https URL.", u)
		}
	}
	if err := c.checkPatterns(); err != nil {
		return c, err
	}
	if c.Timeout < 0 || c.Workers < 0 {
		return c, engine.Errorf(engine.CodeInvalid, op, "Timeout and Workers must not be negative.")
	}
	if c.Timeout == 0 {
		c.Timeout = 2 * time.Minute
	}
	if c.Workers == 0 {
		c.Workers = 16
	}
	return c, nil
}

// checkPatterns returns CodeInvalid for a pattern of Only that selects nothing.
func (c Config) checkPatterns() error {
	for _, pattern := range c.patterns() {
		if _, err := path.Match(pattern, ""); err != nil || !slices.ContainsFunc(parsed(), func(st Statement) bool { return matchesID(pattern, st.ID) }) {
			return engine.Errorf(engine.CodeInvalid, op, "No statement matches %q.", pattern).WithHint("Use * for any characters, for example recordings.*.")
		}
	}
	return nil
}

// loopback reports whether the server runs on this machine and so can reach the suite's own servers.
func (c Config) loopback() bool {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// selects reports whether c.Only selects a statement.
func (c Config) selects(id string) bool {
	return c.Only == "" || slices.ContainsFunc(c.patterns(), func(pattern string) bool { return matchesID(pattern, id) })
}

func (c Config) patterns() []string {
	if c.Only == "" {
		return nil
	}
	return strings.Split(c.Only, ",")
}

func matchesID(pattern, id string) bool {
	ok, err := path.Match(pattern, id)
	return ok && err == nil
}

// newClient returns a client that doesn't follow redirects, so that checks see them.
func newClient(workers int) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = workers
	return &http.Client{
		Transport: t, Timeout: 90 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
