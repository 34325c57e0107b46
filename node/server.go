package node

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 120 * time.Second // longer than proxies keep idle connections, so that no request meets a closing one
	maxHeader     = 64 << 10          // bytes
)

// server serves one listener.
type server struct {
	http     *http.Server
	listener net.Listener
}

func newServer(l net.Listener, h http.Handler, log *slog.Logger) *server {
	return &server{listener: l, http: &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
}

// serve returns nil after stop.
func (s *server) serve() error {
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stop refuses new connections, and waits until the requests in progress have ended or ctx is done, which ends them.
func (s *server) stop(ctx context.Context) {
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
}

// closing returns a handler that asks clients to close their connections while the node drains. Requests that a proxy would send on an open
// connection then go to other nodes.
func (n *Node) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if n.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, req)
	})
}
