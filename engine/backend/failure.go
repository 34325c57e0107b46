package backend

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
)

// unreachable says why no answer came. What isn't known may be tried again.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.ended(ctx)
	}
	if e, ok := isEngines(err); ok {
		return e
	}
	e := c.errorf("%s could not be reached.", c.cfg.Name).Because(c.told(err))
	switch {
	case isTimeout(err):
		return c.errorf("%s did not answer in time.", c.cfg.Name).Because(c.told(err)).Transient()
	case errors.As(err, new(*tls.CertificateVerificationError)), errors.As(err, new(tls.RecordHeaderError)), errors.Is(err, http.ErrSchemeMismatch):
		return e.WithHint("No secure connection could be made: check the address and the server's certificate.")
	case errors.Is(err, syscall.ECONNREFUSED):
		return e.Transient().WithHint("Nothing listens there: start the server, or check the address.")
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return e.Transient().WithHint("Its host was not found: check the address.")
	}
	return e.Transient()
}

// broken says why an answer ended early.
func (c *Client) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.ended(ctx)
	}
	if e, ok := isEngines(err); ok {
		return e
	}
	if isTimeout(err) {
		return c.errorf("%s did not answer in time.", c.cfg.Name).Because(c.told(err)).Transient()
	}
	return c.errorf("The answer of %s broke off.", c.cfg.Name).Because(c.told(err)).Transient()
}

// told is an error for the log: without the address, whose query may have a secret, and without a secret that a server gave back.
func (c *Client) told(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return told{safe(c.secrets.mask(err.Error()), maxErrorText), err}
}

// told is an error with a text of its own. The error behind it is known by errors.Is, and told to nobody.
type told struct {
	text   string
	behind error
}

func (t told) Error() string        { return t.text }
func (t told) Is(target error) bool { return errors.Is(t.behind, target) }

// ended is the error of an exchange that nobody waits for any more.
func (c *Client) ended(ctx context.Context) error {
	why := ctx.Err()
	if cause := context.Cause(ctx); cause != why {
		why = fmt.Errorf("%w: %w", why, cause)
	}
	return engine.Errorf(engine.CodeCanceled, c.cfg.Name, "The request to %s was canceled.", c.cfg.Name).Because(why)
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// Refusal is the cause of an error that is about a status that isn't 2xx.
type Refusal struct {
	Status int
	Said   string // the beginning of what the server said, for the log and for telling refusals apart
}

func (r *Refusal) Error() string { return fmt.Sprintf("status %d: %s", r.Status, r.Said) }

// refused says what a status that isn't 2xx means.
func (c *Client) refused(resp *http.Response, body []byte) error {
	text := c.secrets.mask(string(body))
	if len(body) >= maxErrorBody {
		text = text[:max(0, len(text)-c.secrets.longest)] // the first half of a secret may be there
	}
	said := &Refusal{resp.StatusCode, safe(c.secrets.mask(safe(text, len(text))), maxErrorText)}
	name := c.cfg.Name
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return c.errorf("%s did not accept the key.", name).Because(said).WithHint("Check the key and what it may be used for.")
	case code == http.StatusPaymentRequired,
		code == http.StatusTooManyRequests && strings.Contains(text, `"insufficient_quota"`): // OpenAI's word for the same
		return c.errorf("%s wants to be paid.", name).Because(said).WithHint("Check the account's balance.")
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		return c.errorf("%s does not know the address or the model.", name).Because(said).WithHint("Check the address, its path and the model.")
	case code == http.StatusRequestEntityTooLarge:
		return c.errorf("%s does not take requests that long.", name).Because(said)
	case code == http.StatusTooManyRequests:
		return c.later(resp, c.errorf("%s is asked too often.", name).Because(said))
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusConflict, code == http.StatusLocked:
		return c.later(resp, c.errorf("%s could not do it now.", name).Because(said))
	case code >= 500:
		return c.later(resp, c.errorf("%s failed.", name).Because(said))
	case code >= 300 && code < 400:
		return c.errorf("%s sends requests elsewhere, which is not followed.", name).Because(said).WithHint("Give the address that it leads to.")
	}
	return c.errorf("%s refused the request.", name).Because(said)
}

// later makes an error one to try again when the server asked for it.
func (c *Client) later(resp *http.Response, e *engine.Error) error {
	now := time.Now()
	if c.cfg.Clock != nil {
		now = c.cfg.Clock.Now()
	}
	return e.After(retryAfter(resp.Header, now))
}

// maxRetryAfter bounds what a server may ask for.
const maxRetryAfter = time.Hour

// retryAfter returns how long an answer asks to wait, 0 when it doesn't. retry-after-ms is what OpenAI sends beside it. Source: RFC 9110
// section 10.2.3.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return min(time.Duration(min(ms, float64(maxRetryAfter.Milliseconds())))*time.Millisecond, maxRetryAfter)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

// safe is what a server said as one short line of a log.
func safe(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// bytesText is a number of bytes as a user reads it.
func bytesText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// withoutUser is an address as it may be told: without a password, a query, or a fragment.
func withoutUser(raw string) string {
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i] + "…"
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok {
		scheme, rest = "", raw
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = "…" + rest[i:]
	}
	if ok {
		scheme += "://"
	}
	return safe(scheme+rest, 200)
}
