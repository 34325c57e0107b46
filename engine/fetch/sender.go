package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const opSend = "Send"

const (
	maxAnswer       = 2 << 10 // of an answer's body
	sendTimeout     = 15 * time.Second
	maxIdleReceiver = 16 // connections to one receiver that are kept for the next deliveries
	idleReceiver    = 30 * time.Second
)

// Sender posts webhooks to strangers' URLs under the same guard as downloads. It is safe for concurrent use. Connections are
// kept for a while, each to the address that was permitted when it was made.
type Sender struct {
	cfg       Config
	guard     guard
	transport *http.Transport
}

var _ engine.Sender = (*Sender)(nil)

// NewSender returns a Sender. Of cfg it takes DialTimeout, what may be reached, Resolver, RootCAs and Clock.
func NewSender(cfg Config) *Sender {
	cfg = cfg.withDefaults()
	g := newGuard(cfg)
	t := cfg.transport(g)
	t.DisableKeepAlives, t.ResponseHeaderTimeout = false, 0 // the request's own timeout covers it
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = 8*maxIdleReceiver, maxIdleReceiver, idleReceiver
	return &Sender{cfg: cfg, guard: g, transport: t}
}

// Close closes the connections that wait for another delivery.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// Check says whether url may be sent to; see Client.Check.
func (s *Sender) Check(ctx context.Context, url string) error {
	return s.guard.admit(ctx, s.cfg, url)
}

// Send posts r.Body as JSON; see engine.Sender. It takes r.Timeout at most, 15 s when that is 0. Content-Type and User-Agent
// are Soundstage's own, and headers that frame a message or name its host can't be set. An answer whose body stalls is an
// answer, with what came of its body. A delivery may arrive twice when the receiver hangs up on it.
//
// CodeInvalid: the URL or a header can't be used. CodeNotPublic: the URL does not resolve to a public address. CodeUnavailable:
// no answer came; Retryable unless another try would meet the same. CodeCanceled: ctx is done.
func (s *Sender) Send(ctx context.Context, r engine.SendRequest) (engine.SendResponse, error) {
	u, err := s.guard.check(r.URL)
	if err != nil {
		return engine.SendResponse{}, err
	}
	header, err := sendHeader(r.Header)
	if err != nil {
		return engine.SendResponse{}, err
	}
	if r.Timeout <= 0 {
		r.Timeout = sendTimeout
	}
	limited, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodPost, u.String(), bytes.NewReader(r.Body))
	if err != nil {
		return engine.SendResponse{}, sendFailure(ctx, err, r.Timeout)
	}
	req.Header = header
	res, err := s.transport.RoundTrip(req)
	if err != nil {
		return engine.SendResponse{}, sendFailure(ctx, err, r.Timeout)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil && ctx.Err() != nil {
		return engine.SendResponse{}, sendFailure(ctx, err, r.Timeout)
	}
	return engine.SendResponse{
		Status: res.StatusCode, Header: res.Header, Body: body, RetryAfter: retryAfter(res.Header.Get("Retry-After"), s.cfg.Clock.Now()),
	}, nil
}

// framing are headers that are about the connection or the message's bounds, or name the host. Source: RFC 9110 section 7.
var framing = map[string]bool{
	"Connection": true, "Content-Encoding": true, "Content-Length": true, "Expect": true, "Host": true, "Keep-Alive": true,
	"Proxy-Authorization": true, "Proxy-Connection": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
}

// sendHeader returns the headers of a delivery.
func sendHeader(asked map[string]string) (http.Header, error) {
	h := http.Header{}
	for name, value := range asked {
		if !isToken(name) || len(value) > maxHeaderValue || strings.ContainsFunc(value, isControl) {
			return nil, engine.Errorf(engine.CodeInvalid, opSend, "The header %q can't be sent.", name)
		}
		if !framing[http.CanonicalHeaderKey(name)] {
			h.Set(name, value)
		}
	}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", UserAgent)
	// Lets net/http send again when a kept connection turns out to be closed. Its value isn't sent, being empty: receivers
	// know repeated deliveries by their webhook-id.
	h["Idempotency-Key"] = []string{}
	return h, nil
}

// isToken reports whether s may be a header's name. Source: RFC 9110 section 5.6.2.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}
