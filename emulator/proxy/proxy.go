package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/engine"
)

// Recorder gets a copy of each exchange. record.Recorder is one.
type Recorder interface {
	Add(record.Raw)
	MaxBody() int // bytes of a body to copy
}

// Config configures a Proxy.
type Config struct {
	To              string            // address of the service, without /v1; required
	Recorder        Recorder          // default: nothing is copied
	PublicURL       string            // address at which clients reach the proxy, for signed URLs; default the host of each request
	KeepStorageURLs bool              // leave signed URLs as they are, so that clients reach the storage directly
	Timeout         time.Duration     // longest wait for the headers of a response; default DefaultTimeout
	Transport       http.RoundTripper // default: HTTP/1.1 and HTTP/2, TLS verified, proxies of the environment
}

// DefaultTimeout is the default of Config.Timeout.
const DefaultTimeout = 60 * time.Second

// Proxy forwards requests to a service. It is an http.Handler.
type Proxy struct {
	config  Config
	to      *url.URL
	reverse *httputil.ReverseProxy
	origins origins
	memory  memory
}

// New returns a Proxy. CodeInvalid when To is not the address of a service.
func New(c Config) (*Proxy, error) {
	to, err := ParseAddress(c.To)
	if err != nil {
		return nil, err
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Transport == nil {
		c.Transport = NewTransport(c.Timeout)
	}
	p := &Proxy{config: c, to: to}
	p.reverse = &httputil.ReverseProxy{
		Rewrite: p.rewrite, Transport: c.Transport, ModifyResponse: p.answered, ErrorHandler: p.failed, BufferPool: buffers{},
		FlushInterval: 20 * time.Millisecond,      // a slow body arrives as it comes; a flush after each write would cost a sixth of the CPU time
		ErrorLog:      log.New(io.Discard, "", 0), // the exchange says what went wrong
	}
	return p, nil
}

// NewTransport returns the default transport, which waits for the headers of a response for at most timeout.
func NewTransport(timeout time.Duration) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true // bodies pass as they are
	t.MaxIdleConnsPerHost = 256
	t.MaxIdleConns = 512
	t.ResponseHeaderTimeout = timeout
	t.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	return t
}

// ParseAddress parses the address of a service. CodeInvalid when it is none.
func ParseAddress(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(raw, "/"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, engine.Errorf(engine.CodeInvalid, "proxy", "%q is not the address of a service.", withoutUser(raw)).
			WithHint("Give an http or https URL without /v1, a user, or a query, for example https://api.example.com.")
	}
	if strings.HasSuffix(u.Path, "/v1") {
		return nil, engine.Errorf(engine.CodeInvalid, "proxy", "The address %q ends with /v1, which requests have, too.", raw).
			WithHint("Give the address without /v1.")
	}
	return u, nil
}

func withoutUser(raw string) string {
	if at := strings.LastIndexByte(raw, '@'); at >= 0 {
		return "…" + raw[at:]
	}
	return raw
}

// ServeHTTP forwards a request and records the exchange when it has ended.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !strings.HasPrefix(req.URL.Path, "/") || req.Method == http.MethodConnect {
		writeError(w, http.StatusBadRequest, "proxy.request", "The proxy forwards only requests with a path.", "Send requests to the proxy as to the service.")
		return
	}
	target, storage, err := p.target(req)
	if err != nil {
		api.WriteError(w, err)
		return
	}
	x := &exchange{proxy: p, target: target, path: recordedPath(req, target), storage: storage, begun: time.Now(), public: api.BaseURL(p.config.PublicURL, req)}
	if p.config.Recorder != nil {
		x.sentHeader = req.Header.Clone()
		if req.Body != nil && req.Body != http.NoBody {
			if x.sent = p.copy(); storage {
				x.sent.most, x.sent.partial = 0, "the bytes of uploads are not recorded"
			}
			req.Body = &copied{ReadCloser: req.Body, to: x.sent}
		}
		defer x.record(req)
	}
	x.op, _ = api.OperationOf(req.Method, x.path)
	w.Header()["Content-Type"] = nil // net/http would add its own to a response without one
	defer func() {
		if !x.complete { // the client gets what came before the cut
			_ = http.NewResponseController(w).Flush()
		}
	}()
	p.reverse.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), exchangeKey{}, x)))
	x.complete = true // ReverseProxy panics when the response was cut
}

// exchange is an exchange on its way.
type exchange struct {
	proxy      *Proxy
	target     *url.URL
	path       string // as it is recorded
	storage    bool   // the request is for a signed URL
	public     string // address of the proxy for this client
	op         string
	begun      time.Time
	sentHeader http.Header
	sent       *capture // nil without a body
	status     int
	header     http.Header
	answer     *capture
	err        string // why there is no response of the service
	complete   bool
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// record gives the exchange to the recorder. It runs when the handler ends or panics.
func (x *exchange) record(req *http.Request) {
	raw := record.Raw{
		Time: x.begun, Method: req.Method, Path: x.path, Query: x.target.RawQuery, Host: x.target.Host, Storage: x.storage,
		Sent: x.sentHeader, Status: x.status, Received: x.header, Duration: time.Since(x.begun), Error: x.err,
	}
	raw.Body, raw.Answer = x.sent.captured(), x.answer.captured()
	if raw.Body.Partial == "" && raw.Body.Bytes < req.ContentLength {
		raw.Body.Partial = "the service answered before it had read the whole body"
	}
	if !x.complete && raw.Error == "" {
		raw.Error = "the response was cut, or the client went away"
	}
	x.proxy.config.Recorder.Add(raw)
}

// rewrite makes the outgoing request. ReverseProxy has removed the hop-by-hop headers; it adds no X-Forwarded headers.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	x := exchangeOf(r.In.Context())
	r.Out.URL, r.Out.Host = x.target, ""
	if x.target.Host != p.to.Host {
		r.Out.Header.Del("Authorization") // storage elsewhere must not get the service's secret
		r.Out.Header.Del("Cookie")
	}
	if _, set := r.In.Header["User-Agent"]; !set {
		r.Out.Header["User-Agent"] = nil // net/http would add its own
	}
	accepted := r.Out.Header.Get("Accept-Encoding")
	switch {
	case signs[x.op] && !p.config.KeepStorageURLs:
		r.Out.Header.Set("Accept-Encoding", "identity") // the body is rewritten
	case strings.Contains(accepted, "gzip"):
		r.Out.Header.Set("Accept-Encoding", "gzip") // what secrets can be masked in
	case accepted != "":
		r.Out.Header.Set("Accept-Encoding", "identity")
	}
}

// answered sees a response of the service before the client does.
func (p *Proxy) answered(resp *http.Response) error {
	x := exchangeOf(resp.Request.Context())
	if resp.StatusCode == http.StatusSwitchingProtocols {
		x.status, x.header = resp.StatusCode, resp.Header.Clone()
		return nil
	}
	if p.config.Recorder != nil {
		x.status, x.header, x.answer = resp.StatusCode, resp.Header.Clone(), p.copy()
		resp.Body = &copied{ReadCloser: resp.Body, to: x.answer}
	}
	p.relocate(x, resp)
	if signs[x.op] && !p.config.KeepStorageURLs {
		return p.replaceURLs(x, resp)
	}
	return nil
}

// failed answers when the service can't be reached, or its response is unusable.
func (p *Proxy) failed(w http.ResponseWriter, req *http.Request, err error) {
	x := exchangeOf(req.Context())
	status, reason, what := http.StatusBadGateway, "proxy.unreachable", "can't be reached"
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		what = "was not waited for: the client went away"
	case errors.As(err, &timeout) && timeout.Timeout():
		status, reason, what = http.StatusGatewayTimeout, "proxy.timeout", fmt.Sprintf("did not answer within %s", p.config.Timeout)
	}
	x.err = fmt.Sprintf("%s://%s %s: %v", x.target.Scheme, x.target.Host, what, withoutURL(err))
	x.status, x.header = status, http.Header{}
	writeError(w, status, reason, fmt.Sprintf("The proxy's service %s://%s %s.", x.target.Scheme, x.target.Host, what),
		fmt.Sprintf("Check the address of --to and the network: %v.", withoutURL(err)))
}

// withoutURL returns the cause of a client's error, without the URL and its signature.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// writeError writes an error in the general form of the service.
func writeError(w http.ResponseWriter, status int, reason, message, hint string) {
	h := w.Header()
	h.Set("X-Soundstage-Reason", reason)
	h.Set("X-Soundstage-Hint", strings.Map(printable, hint))
	writeJSON(w, status, map[string]string{"error": message})
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return ' '
	}
	return r
}

// buffers is a pool of the buffers that bodies are copied with.
type buffers struct{}

var bufferPool = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// Get implements httputil.BufferPool.
func (buffers) Get() []byte { return *bufferPool.Get().(*[]byte) }

// Put implements httputil.BufferPool.
func (buffers) Put(b []byte) { bufferPool.Put(&b) }
