package backend

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// unreachable returns the error for a request without a response. Unknown causes are Retryable.
func (c *Client) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.canceled(ctx)
	}
	if e, ok := asEngineError(err); ok {
		return e
	}
	e := c.errorf("%s could not be reached.", c.cfg.Name).Because(c.maskError(err))
	switch {
	case isDialTimeout(err):
		return e.InOutage().WithHint("The connection took too long: check that the machine runs, and the URL.")
	case isTimeout(err):
		return c.late(err)
	case errors.As(err, new(*tls.CertificateVerificationError)), errors.As(err, new(tls.RecordHeaderError)), errors.Is(err, http.ErrSchemeMismatch):
		return e.WithHint("The TLS handshake failed: check the URL and the server's certificate.")
	case fault.Refused(err):
		return e.InOutage().WithHint("Nothing listens there: start the server, or check the URL.")
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return e.InOutage().WithHint("The host was not found: check the URL.")
	}
	return e.InOutage().WithHint("The connection broke. If this happens again, look into the server's log: it may have crashed or run out of memory.")
}

// late returns the error for a response that took too long. It is no outage: another attempt would hold a worker as long.
func (c *Client) late(err error) error {
	return c.errorf("%s did not answer in time.", c.cfg.Name).Because(c.maskError(err)).Transient().
		WithHint("It may be overloaded: try again later, or set a longer timeout.")
}

// incomplete returns the error for a response that ended early.
func (c *Client) incomplete(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.canceled(ctx)
	}
	if e, ok := asEngineError(err); ok {
		return e
	}
	if isTimeout(err) {
		return c.late(err)
	}
	return c.errorf("The response from %s ended early.", c.Inside()).Because(c.maskError(err)).InOutage().
		WithHint("The server or a proxy closed the connection. If this happens again, look into the server's log.")
}

// Reported returns the error that a response with status 2xx reports, safe to log, or nil if said is none: null, false, 0, or empty.
func (c *Client) Reported(said json.RawMessage) error {
	if slices.Contains([]string{"", "null", "false", "0", `""`, "{}", "[]"}, string(said)) {
		return nil
	}
	return c.maskError(fmt.Errorf("the server's error: %s", said))
}

// maskError returns an error that is safe to log: without the URL, whose query may contain a secret, and without secrets that a server echoed.
func (c *Client) maskError(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return maskedError{oneLine(c.secrets.mask(err.Error()), maxErrorText), err}
}

// maskedError replaces the text of an error. errors.Is still matches the original, which is never printed.
type maskedError struct {
	text  string
	cause error
}

func (t maskedError) Error() string        { return t.text }
func (t maskedError) Is(target error) bool { return errors.Is(t.cause, target) }

// canceled returns the error of a canceled exchange.
func (c *Client) canceled(ctx context.Context) error {
	why := ctx.Err()
	if cause := context.Cause(ctx); cause != why { //nolint:errorlint // a cause that wraps the context's error adds to it
		why = fmt.Errorf("%w: %w", why, cause)
	}
	return engine.Errorf(engine.CodeCanceled, "", "The request to %s was canceled.", c.Inside()).Because(why)
}

// isDialTimeout reports whether no connection was made in time, as when a machine restarts.
func isDialTimeout(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && e.Op == "dial" && e.Timeout()
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

// Refusal is the cause of an error for a status other than 2xx.
type Refusal struct {
	Status int
	Body   string // the beginning of the response body, for logs and to distinguish refusals
}

func (r *Refusal) Error() string { return fmt.Sprintf("status %d: %s", r.Status, r.Body) }

// refused returns the error for a status other than 2xx.
func (c *Client) refused(resp *http.Response, body []byte) error {
	text := c.secrets.mask(string(body))
	if len(body) >= maxErrorBody {
		text = text[:max(0, len(text)-c.secrets.longest)] // it may contain the first half of a secret
	}
	said := &Refusal{resp.StatusCode, oneLine(c.secrets.mask(oneLine(text, len(text))), maxErrorText)}
	name := c.cfg.Name
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return c.errorf("%s did not accept the key.", name).Because(said).WithHint("Check the key and its permissions.")
	case code == http.StatusPaymentRequired,
		code == http.StatusTooManyRequests && strings.Contains(text, `"insufficient_quota"`): // OpenAI's code for an exhausted balance
		return c.errorf("%s requires payment.", name).Because(said).WithHint("Check the account's balance.")
	case code == http.StatusNotFound, code == http.StatusMethodNotAllowed:
		if c.cfg.Model != "" && strings.Contains(strings.ToLower(text), "model") {
			return c.errorf("The model %q was not found.", c.cfg.Model).Because(said).WithHint("Check its name, and that the server has it.")
		}
		return c.errorf("%s does not know the URL or the model.", name).Because(said).
			WithHint(strings.TrimSpace("Check the URL, its path, and the model. " + c.cfg.URLHint))
	case code == http.StatusRequestEntityTooLarge:
		return c.errorf("%s does not accept requests this large.", name).Because(said).
			WithHint("Raise the limit of the server, or of a proxy in front of it.")
	case code == http.StatusTooManyRequests:
		return c.retryLater(resp, c.errorf("%s received too many requests.", name).Because(said).
			WithHint("Wait a minute and try again, or ask the provider for a higher limit."))
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code == http.StatusConflict, code == http.StatusLocked:
		return c.retryLater(resp, c.errorf("%s could not handle the request now.", name).Because(said).WithHint("Try again in a minute."))
	case code == http.StatusServiceUnavailable:
		return c.retryLater(resp, c.errorf("%s failed.", name).Because(said).
			WithHint("It may be loading its model, or be overloaded: wait until it is ready, then try again."))
	case code == http.StatusInternalServerError: // it may be because of this request
		e := c.errorf("%s failed.", name).Because(said).After(c.retryAfter(resp))
		return e.WithHint("Try again later. If it fails again, look into the server's log.")
	case code >= 500:
		return c.retryLater(resp, c.errorf("%s failed.", name).Because(said).
			WithHint("Try again later. If it fails again, look into the server's log, or at the provider's status page."))
	case code >= 300 && code < 400:
		return c.errorf("%s redirected the request, which is not allowed.", name).Because(said).WithHint("Use the URL that it redirects to.")
	}
	return c.errorf("%s refused the request.", name).Because(said).
		WithHint("Its answer says why. Check the model, the URL, and what the server supports.")
}

// retryLater makes an error one of an outage, with the server's Retry-After.
func (c *Client) retryLater(resp *http.Response, e *engine.Error) error {
	return e.InOutage().After(c.retryAfter(resp))
}

// retryAfter returns the wait that a response requests, or 0.
func (c *Client) retryAfter(resp *http.Response) time.Duration {
	now := time.Now()
	if c.cfg.Clock != nil {
		now = c.cfg.Clock.Now()
	}
	return retryAfter(resp.Header, now)
}

// maxRetryAfter limits a server's Retry-After.
const maxRetryAfter = time.Hour

// retryAfter returns the wait that a response requests, or 0. OpenAI sends retry-after-ms in addition to Retry-After.
// Source: RFC 9110, section 10.2.3.
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

// oneLine returns a server's text as one line of at most most bytes, without unprintable characters.
func oneLine(s string, most int) string {
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

// bytesText formats a number of bytes for users.
func bytesText(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// withoutUser returns a URL that is safe to print: without a password, a query, or a fragment.
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
	return oneLine(scheme+rest, 200)
}
