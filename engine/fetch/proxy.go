package fetch

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// proxy is an HTTP proxy on a loopback port for one child program. It dials the program's connections under the same
// guard as ours. Requests without its token are refused, so that other programs on the machine can't use it.
type proxy struct {
	server    *http.Server
	url       *url.URL // includes the token
	token     string   // required value of Proxy-Authorization
	dial      dial
	forward   *httputil.ReverseProxy
	closed    context.Context
	shut      context.CancelFunc
	forbidden atomic.Bool // an address that is not public was requested

	mu      sync.Mutex
	over    bool           // no new request is accepted
	running sync.WaitGroup // the server and each request
}

// newProxy starts a proxy that dials with cfg. Call close to stop it.
func newProxy(cfg Config, g guard) (*proxy, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	user := url.UserPassword("soundstage", rand.Text())
	password, _ := user.Password()
	p := &proxy{
		url:   &url.URL{Scheme: "http", Host: l.Addr().String(), User: user},
		token: "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)),
		dial:  cfg.dial(g),
	}
	p.closed, p.shut = context.WithCancel(context.Background())
	p.forward = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) {}, // keeps the request, except for hop-by-hop headers
		Transport:    cfg.transport(g),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { p.refuse(w, err) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	p.server = &http.Server{
		Handler: p, ReadHeaderTimeout: cfg.HeaderTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return p.closed },
	}
	p.running.Go(func() { _ = p.server.Serve(l) })
	return p, nil
}

// close stops the proxy and closes every connection through it.
func (p *proxy) close() {
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.shut()
	_ = p.server.Close()
	p.running.Wait()
}

// begin counts a request, so that close can wait for it. It returns false after close.
func (p *proxy) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.over {
		p.running.Add(1)
	}
	return !p.over
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.begin() {
		return
	}
	defer p.running.Done()
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Proxy-Authorization")), []byte(p.token)) != 1 {
		w.Header().Set("Proxy-Authenticate", `Basic realm="soundstage"`)
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.forward.ServeHTTP(w, r)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// tunnel connects and copies bytes both ways until one side ends or the proxy is closed. Source: RFC 9110, section 9.3.6.
func (p *proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	out, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		p.refuse(w, err)
		return
	}
	defer func() { _ = out.Close() }()
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.refuse(w, err)
		return
	}
	defer func() { _ = in.Close() }()
	_ = in.SetDeadline(time.Time{})
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	stop := context.AfterFunc(p.closed, func() { _, _ = in.Close(), out.Close() })
	defer stop()
	var up sync.WaitGroup
	up.Go(func() {
		_, _ = io.Copy(out, buffered)
		_ = out.Close()
	})
	_, _ = io.Copy(in, out)
	_ = in.Close()
	up.Wait()
}

// refuse answers with the error of a connection, and records whether the guard blocked it.
func (p *proxy) refuse(w http.ResponseWriter, err error) {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Code != engine.CodeNotPublic {
		http.Error(w, "no connection", http.StatusBadGateway)
		return
	}
	p.forbidden.Store(true)
	http.Error(w, e.Msg, http.StatusForbidden)
}
