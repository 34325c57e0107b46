package fetch

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const opSend = "Send"

const (
	maxAnswer       = 2 << 10 // bytes of a response body that are read
	sendTimeout     = 15 * time.Second
	maxIdleReceiver = 16 // idle connections kept for one receiver
	idleReceiver    = 30 * time.Second
)

// Sender posts webhooks to URLs that users supply, under the same guard as downloads. It is safe for concurrent use. It
// reuses connections for a while; each stays bound to the address that the guard allowed.
type Sender struct {
	cfg       Config
	guard     guard
	transport *http.Transport
}

var _ engine.Sender = (*Sender)(nil)

// NewSender returns a Sender. From cfg it uses DialTimeout, AllowPorts, AllowPrivate, AllowPrefixes, Resolver, RootCAs,
// and Clock.
func NewSender(cfg Config) *Sender {
	cfg = cfg.withDefaults()
	g := newGuard(cfg)
	t := cfg.transport(g)
	t.DisableKeepAlives, t.ResponseHeaderTimeout = false, 0 // the request's own timeout covers it
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = 8*maxIdleReceiver, maxIdleReceiver, idleReceiver
	return &Sender{cfg: cfg, guard: g, transport: t}
}

// Close closes the idle connections.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

// Check reports whether url may be sent to; see Client.Check.
func (s *Sender) Check(ctx context.Context, url string) error {
	return s.guard.checkAddress(ctx, s.cfg, url)
}

// Send posts r.Body as JSON; see engine.Sender. It takes at most r.Timeout, or 15 s when that is 0. It sets Content-Type
// and User-Agent itself, and drops headers that frame a message or name its host. If a response's body stalls, Send
// returns the part that arrived. A delivery may arrive twice when the receiver closes the connection.
//
// CodeInvalid: the URL or a header is not valid. CodeNotPublic: the URL does not resolve to a public address.
// CodeUnavailable: there was no response; the error is Retryable unless another attempt would fail the same way.
// CodeCanceled: ctx is done.
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
	private := true
	limited = httptrace.WithClientTrace(limited, &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) { private = !isPublicConn(c.Conn) },
	})
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
		Private: private, Status: res.StatusCode, Header: res.Header, Body: body, RetryAfter: retryAfter(res.Header.Get("Retry-After"), s.cfg.Clock.Now()),
	}, nil
}

// isPublicConn reports whether a connection leads to a public address.
func isPublicConn(c net.Conn) bool {
	to, err := netip.ParseAddrPort(c.RemoteAddr().String())
	return err == nil && Public(to.Addr())
}

// framing lists headers that control the connection or the message's framing, or name the host. Source: RFC 9110, section
// 7.
var framing = map[string]bool{
	"Connection": true, "Content-Encoding": true, "Content-Length": true, "Expect": true, "Host": true, "Keep-Alive": true,
	"Proxy-Authorization": true, "Proxy-Connection": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
}

// sendHeader returns the headers of a delivery, or an error if a requested one is not valid.
func sendHeader(asked map[string]string) (http.Header, error) {
	h := http.Header{}
	for name, value := range asked {
		if !isToken(name) || len(value) > maxHeaderValue || strings.ContainsFunc(value, isControl) {
			return nil, engine.Errorf(engine.CodeInvalid, opSend, "Header %q has an invalid name or value.", name)
		}
		if !framing[http.CanonicalHeaderKey(name)] {
			h.Set(name, value)
		}
	}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", UserAgent)
	// The key lets net/http retry when the receiver closed an idle connection. It is empty, so it isn't sent: receivers
	// recognise repeated deliveries by their webhook-id.
	h["Idempotency-Key"] = []string{}
	return h, nil
}

// isToken reports whether s is a valid header name. Source: RFC 9110, section 5.6.2.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}
