package emulator

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
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
	ending   chan struct{}

	sandboxSecrets bool // whether everybody knows the default world's secrets
	tools          *tools
	worlds         worlds
	kept           kept
	recorders      recorders
}

// New starts a sandbox. Errors: CodeInvalid (options), CodeUnavailable (ffmpeg, address or data folder can't be used),
// CodeConflict (the data folder is in use).
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
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	s.http = &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	s.http.RegisterOnShutdown(sync.OnceFunc(func() { close(s.ending) })) // else Close would wait for streams
	go func() { s.served <- s.http.Serve(s.listener) }()
	return s, nil
}

// open makes what the server works with, and the default world.
func (s *Server) open(ctx context.Context) (err error) {
	if s.tools, err = newTools(s.opts); err != nil {
		return err
	}
	o := s.opts
	w, err := newWorld(ctx, s.tools, worldSpec{
		name: control.DefaultWorld, seed: o.Seed, clock: o.Clock, secrets: o.Secrets, hidden: !s.sandboxSecrets,
	}, nil)
	if err != nil {
		return errors.Join(err, s.tools.close())
	}
	s.worlds.all = map[string]*world{control.DefaultWorld: w}
	if o.Snapshot == "" {
		return nil
	}
	if err := s.loadFile(ctx, o.Snapshot); err != nil {
		return errors.Join(err, s.closeWorlds(ctx), s.tools.close())
	}
	return nil
}

func listenError(addr string, err error) error {
	e := engine.Errorf(engine.CodeUnavailable, "Listen", "The address %s can't be listened on.", addr).Because(err)
	if errors.Is(err, syscall.EADDRINUSE) {
		e = engine.Errorf(engine.CodeConflict, "Listen", "The address %s is in use by another program.", addr).Because(err)
	}
	return e.WithHint("Choose another one with --addr; 127.0.0.1:0 takes a free port.")
}

// URL is the base of every address for this machine, "http://127.0.0.1:8765", also when it listens on every address.
func (s *Server) URL() string {
	addr := s.listener.Addr()
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return "http://" + addr.String()
}

// Engine is the engine of the default world that serves at the moment; a reset replaces it.
func (s *Server) Engine() *engine.Engine {
	w, _ := s.worlds.find(control.DefaultWorld)
	return w.engine
}

// EngineOf is Engine of the world of a name, "" for the default one. CodeNotFound.
func (s *Server) EngineOf(world string) (*engine.Engine, error) {
	w, err := s.find(world)
	if err != nil {
		return nil, err
	}
	return w.engine, nil
}

// Handler answers every request of the sandbox: /v1, the signed addresses, /openapi.yaml and the control API.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", http.HandlerFunc(s.serveWorld))
	mux.Handle("/_soundstage/", control.Handler(s, control.Guard{Token: s.opts.ControlToken}))
	return s.recorded(mux)
}

func (s *Server) serveWorld(w http.ResponseWriter, req *http.Request) {
	world, err := s.enterFor(req)
	if err != nil {
		api.WriteError(w, err)
		return
	}
	defer world.requests.Done()
	s.serveRecorded(world, w, req)
}

// Health describes the server for the control API; the counts are those of the default world.
func (s *Server) Health(ctx context.Context) (control.Health, error) {
	w, _ := s.worlds.find(control.DefaultWorld)
	h := control.Health{
		Status: "ok", Version: s.opts.Version, Clock: w.time.clock.Setting().String(), Ephemeral: s.opts.DataDir == "", Worlds: s.worlds.count(),
		Backends: s.opts.Backends,
	}
	var err error
	if c, ok := w.store.(engine.CountingStore); ok {
		h.Counts, err = c.Counts(ctx)
	}
	return h, err
}

// World returns the world of a name, "" for the default one. CodeNotFound.
func (s *Server) World(name string) (control.World, error) {
	w, err := s.find(name)
	if err != nil {
		return nil, err
	}
	return w, nil
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
	for _, w := range s.worlds.list() {
		w.letGo()
	}
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close() // whoever is still talking after the drain is cut off
	}
	return errors.Join(err, s.closeWorlds(ctx), s.tools.close())
}
