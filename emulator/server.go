package emulator

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
)

// drainTimeout is how long Close waits for requests that are being answered.
const drainTimeout = 10 * time.Second

// Server is a running sandbox.
type Server struct {
	opts     Options
	listener net.Listener
	http     *http.Server
	served   chan error

	mu    sync.RWMutex
	world *world
	reset sync.Mutex // one reset at a time
}

// New starts a sandbox. Errors: CodeInvalid (options), CodeUnavailable (ffmpeg, address or data folder can't be used),
// CodeConflict (the data folder is in use).
func New(ctx context.Context, o Options) (*Server, error) {
	o, err := o.check(ctx)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return nil, listenError(o.Addr, err)
	}
	w, err := newWorld(ctx, o)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s := &Server{opts: o, listener: listener, world: w, served: make(chan error, 1)}
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

func listenError(addr string, err error) error {
	e := engine.Errorf(engine.CodeUnavailable, "Listen", "The address %s can't be listened on.", addr).Because(err)
	if errors.Is(err, syscall.EADDRINUSE) {
		e = engine.Errorf(engine.CodeConflict, "Listen", "The address %s is in use by another program.", addr).Because(err)
	}
	return e.WithHint("Choose another one with --addr; 127.0.0.1:0 takes a free port.")
}

// URL is the base of every address, "http://127.0.0.1:8765".
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Engine is the engine that serves at the moment; a reset replaces it.
func (s *Server) Engine() *engine.Engine {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.world.engine
}

// Handler answers every request of the sandbox: /v1, the signed addresses, /openapi.yaml and the control API.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.HandlerFunc(s.serveWorld))
	control.Register(mux, s, control.Guard{Token: s.opts.ControlToken})
	return mux
}

func (s *Server) serveWorld(w http.ResponseWriter, req *http.Request) {
	s.mu.RLock()
	world := s.world
	world.requests.Add(1)
	s.mu.RUnlock()
	defer world.requests.Done()
	world.api.ServeHTTP(w, req)
}

// Health describes the server for the control API.
func (s *Server) Health(ctx context.Context) (control.Health, error) {
	s.mu.RLock()
	store := s.world.store
	s.mu.RUnlock()
	h := control.Health{Status: "ok", Version: s.opts.Version, Clock: string(s.opts.Clock), Ephemeral: s.opts.DataDir == ""}
	var err error
	if c, ok := store.(engine.CountingStore); ok {
		h.Counts, err = c.Counts(ctx)
	}
	return h, err
}

// World returns the world of a name, "" for the default one. CodeNotFound.
func (s *Server) World(name string) (control.World, error) {
	if name != "" && name != control.DefaultWorld {
		return nil, engine.Errorf(engine.CodeNotFound, "World", "There is no world %q.", name)
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.world, nil
}

// Reset empties a world, "" for the default one: everything but its users, spaces and secrets is gone. CodeNotFound; CodeConflict with
// a data folder.
func (s *Server) Reset(ctx context.Context, world string) error {
	if _, err := s.World(world); err != nil {
		return err
	}
	if s.opts.DataDir != "" {
		return engine.Errorf(engine.CodeConflict, "Reset", "A sandbox with a data folder can't be reset.").
			WithHint("Start it without --data, or delete the folder while it is stopped.")
	}
	s.reset.Lock()
	defer s.reset.Unlock()
	fresh, err := newWorld(context.WithoutCancel(ctx), s.opts)
	if err != nil {
		return err
	}
	s.mu.Lock()
	old := s.world
	s.world = fresh
	s.mu.Unlock()
	return old.close(ctx)
}

// Wait returns when the server has stopped serving, with the reason if it wasn't Close.
func (s *Server) Wait() error {
	err := <-s.served
	s.served <- err
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close drains the server: it takes no new requests, lets those that are being answered end, gives running jobs back to the
// store, and removes what is temporary.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close() // whoever is still talking after the drain is cut off
	}
	s.reset.Lock()
	defer s.reset.Unlock()
	return errors.Join(err, s.world.close(ctx))
}
