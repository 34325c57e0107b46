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

// Config says which server is checked and with what.
type Config struct {
	BaseURL string // "http://127.0.0.1:8765"; required

	Secret           string // of a user whose plan has every tier; required
	SecretCore       string // of the same user with the tier core; without it tiers are not checked
	SecretAutomation string // of the same user with the tier automation
	SecretNone       string // of a user without a plan
	SecretOther      string // of a second user with every tier; without it isolation is not checked

	MediaURL      string // of audio with speech that the server can download; default an own server, where BaseURL is a loopback address
	WebhookListen string // host:port to receive webhooks on; default a free port, where BaseURL is a loopback address
	WebhookURL    string // how the server reaches it; default http:// and the address that is listened on

	Only    string        // patterns of statement ids, with commas between and * for any characters: "recordings.*"; default all
	Timeout time.Duration // most that one piece of asynchronous work may take; default 2 min
	Workers int           // checks at once; default 16, as most of them wait
}

const op = "conformance"

// check fills in the defaults and refuses what can't be run, as CodeInvalid.
func (c Config) check() (Config, error) {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	if u, err := url.Parse(c.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" {
		return c, engine.Errorf(engine.CodeInvalid, op, "%q is not the base URL of a server.", c.BaseURL).
			WithHint("Use for example http://127.0.0.1:8765, without /v1.")
	}
	if c.Secret == "" {
		return c, engine.Errorf(engine.CodeInvalid, op, "An API secret is needed.")
	}
	for _, s := range []string{c.Secret, c.SecretCore, c.SecretAutomation, c.SecretNone, c.SecretOther} {
		if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return c, engine.Errorf(engine.CodeInvalid, op, "A secret has blanks or characters that no header can carry.")
		}
	}
	for _, u := range []string{c.MediaURL, c.WebhookURL} {
		if u != "" && !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
			return c, engine.Errorf(engine.CodeInvalid, op, "%q is not an http or https URL.", u)
		}
	}
	for _, pattern := range c.patterns() {
		if _, err := path.Match(pattern, ""); err != nil || !slices.ContainsFunc(parsed(), func(st Statement) bool { return matchesID(pattern, st.ID) }) {
			return c, engine.Errorf(engine.CodeInvalid, op, "No statement is like %q.", pattern).WithHint("Use * for any characters: recordings.*")
		}
	}
	if c.Timeout < 0 || c.Workers < 0 {
		return c, engine.Errorf(engine.CodeInvalid, op, "The timeout must be longer than nothing.")
	}
	if c.Timeout == 0 {
		c.Timeout = 2 * time.Minute
	}
	if c.Workers == 0 {
		c.Workers = 16
	}
	return c, nil
}

// loopback reports whether the server is on this machine, so that it can reach what the suite serves.
func (c Config) loopback() bool {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// selects reports whether a statement is asked for.
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

// newClient returns a client that follows no redirects, so that checks see them.
func newClient(workers int) *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = workers
	return &http.Client{
		Transport: t, Timeout: 90 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
