package emulator

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/emulator/console"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fault"
)

// drainTimeout is how long Close waits for requests in progress.
const drainTimeout = 10 * time.Second

// Server is a running sandbox.
type Server struct {
	opts     Options
	listener net.Listener
	http     *http.Server
	served   chan error
	ending   chan struct{}

	sandboxSecrets bool // whether the default world has the public sandbox secrets
	shared         *shared
	worlds         worlds
	kept           keptSnapshots
	recorders      recorders
	assistants     func() http.Handler
}

// New starts a sandbox. CodeInvalid for invalid options; CodeUnavailable when ffmpeg, the address, or the data folder can't be
// used; CodeConflict when the address or the data folder is in use.
func New(ctx context.Context, o Options) (*Server, error) {
	s := &Server{sandboxSecrets: len(o.Secrets) == 0, served: make(chan error, 1), ending: make(chan struct{})}
	o, err := o.check(ctx)
	if err != nil {
		return nil, err
	}
	if s.opts, s.listener = o, o.Listener; s.listener == nil {
		if s.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", o.Addr); err != nil {
			return nil, listenError(o.Addr, err)
		}
	}
	s.assistants = sync.OnceValue(s.newAssistants)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes - headerSlack,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ConnState: func(c net.Conn, state http.ConnState) {
			if own, ok := c.(*conn); ok && state == http.StateIdle {
				own.idle()
			}
		},
	}
	s.http.RegisterOnShutdown(sync.OnceFunc(func() { close(s.ending) })) // otherwise Close would wait for streams
	go func() { s.served <- s.http.Serve(limitConnections(s.listener, o.MaxConnections)) }()
	return s, nil
}

// open creates the shared resources and the default world.
func (s *Server) open(ctx context.Context) (err error) {
	if s.shared, err = newShared(s.opts, s.listener.Addr()); err != nil {
		return err
	}
	o := s.opts
	w, err := newWorld(ctx, s.shared, worldSpec{
		name: control.DefaultWorld, seed: o.Seed, clock: o.Clock, secrets: o.Secrets, hidden: !s.sandboxSecrets, renders: o.Renders,
	}, nil)
	if err != nil {
		return errors.Join(err, s.shared.close())
	}
	s.worlds.all = map[string]*world{control.DefaultWorld: w}
	w.live.Attach()
	if o.Snapshot == "" {
		return nil
	}
	if err := s.loadFile(ctx, o.Snapshot); err != nil {
		return errors.Join(err, s.closeWorlds(ctx), s.shared.close())
	}
	return nil
}

func listenError(addr string, err error) error {
	e := engine.Errorf(engine.CodeUnavailable, "Listen", "The server can't listen on the address %s.", addr).Because(err)
	if fault.AddressInUse(err) {
		e = engine.Errorf(engine.CodeConflict, "Listen", "The address %s is in use by another program.", addr).Because(err)
	}
	return e.WithHint("Choose another address with --addr; 127.0.0.1:0 selects a free port.")
}

// URL returns the server's base URL for local clients, such as "http://127.0.0.1:8765", even if the server listens on all
// addresses.
func (s *Server) URL() string {
	addr := s.listener.Addr()
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return "http://" + addr.String()
}

// Engine returns the default world's engine. A reset replaces it.
func (s *Server) Engine() *engine.Engine {
	w, _ := s.worlds.find(control.DefaultWorld)
	return w.engine
}

// EngineOf returns the engine of a world; "" means the default one. CodeNotFound for an unknown world.
func (s *Server) EngineOf(world string) (*engine.Engine, error) {
	w, err := s.find(world)
	if err != nil {
		return nil, err
	}
	return w.engine, nil
}

// Handler returns the handler of all requests: /v1, signed URLs, /openapi.yaml, the control API, and the console, to which it sends browsers
// that ask for /. While the server accepts the sandbox
// secrets, the handler refuses hosts that Options.AllowedHosts doesn't allow.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	world := http.HandlerFunc(s.serveWorld)
	controlled := control.Handler(s, control.Guard{Token: s.opts.ControlToken})
	mux.Handle("/", world)
	mux.Handle(console.Path, console.Handler(s.opts.PublicURL))
	mux.Handle("/_soundstage", controlled) // otherwise the mux redirects it
	mux.Handle("/_soundstage/", controlled)
	served := s.recorded(api.ExactPaths(mux, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if strings.HasPrefix(req.URL.EscapedPath(), "/_soundstage/") {
			controlled.ServeHTTP(w, req)
			return
		}
		world(w, req)
	})))
	if s.checksHosts() {
		served = newHosts(s.opts).wrap(served)
	}
	// The limiter comes first: it also tells the connection that a handler responds, not net/http itself.
	limiter := &requestLimiter{perKey: s.opts.MaxRequestsPerKey, perAddress: s.opts.MaxRequestsPerAddress}
	return limiter.wrap(served)
}

// checksHosts reports whether the server refuses hosts that are not allowed.
func (s *Server) checksHosts() bool {
	return s.sandboxSecrets && !s.opts.anyHost && s.listener.Addr().Network() == "tcp"
}

// BaseURL implements control.Host: Options.PublicURL, or the requested host if it is allowed, else "".
func (s *Server) BaseURL(req *http.Request) string {
	if s.checksHosts() && !newHosts(s.opts).allows(req.Host) {
		return ""
	}
	return api.BaseURL(s.opts.PublicURL, req)
}

func (s *Server) serveWorld(w http.ResponseWriter, req *http.Request) {
	if console.Wanted(req) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Vary", "Accept")
		http.Redirect(w, req, console.Path, http.StatusFound)
		return
	}
	world, err := s.enterFor(req)
	if err != nil {
		api.WriteError(w, err)
		return
	}
	defer world.requests.Done()
	s.serveRecorded(world, w, req)
}

// World returns a world by name; "" means the default one. CodeNotFound for an unknown world.
func (s *Server) World(name string) (control.World, error) {
	w, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Wait returns when the server has stopped serving. The error is nil after Close.
func (s *Server) Wait() error {
	err := <-s.served
	s.served <- err
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close drains the server: it rejects new requests, waits for those in progress, returns running jobs to the store, and removes
// temporary files.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	for _, w := range s.worlds.list() {
		w.releaseDelayed()
	}
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close() // cut off requests that outlast the drain
	}
	s.shared.hub.Close()
	return errors.Join(err, s.closeWorlds(ctx), s.shared.close())
}
