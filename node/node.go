package node

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// Node is one node of the service.
type Node struct {
	c        Config
	engine   *engine.Engine
	metrics  *metrics // nil without Admin
	draining atomic.Bool
}

// New returns a node, which does nothing until Run. Errors: CodeInvalid for a Config that can't work, CodeConflict for signing keys that
// differ from other nodes', and those of the store.
func New(ctx context.Context, c Config) (*Node, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := agreeOnKeys(ctx, c.Store, c.SigningKeys); err != nil {
		return nil, err
	}
	n := &Node{c: c}
	if c.Admin != nil {
		n.metrics = newMetrics(c)
	}
	var err error
	n.engine, err = n.newEngine(ctx)
	return n, err
}

func (n *Node) newEngine(ctx context.Context) (_ *engine.Engine, err error) {
	e := n.c.Engine
	e.Store, e.Blobs, e.Workers, e.Log = n.c.Store, n.c.Blobs, n.c.workers(), n.c.Log
	if s, ok := n.c.Store.(ClockedStore); ok {
		e.Clock = s.Clock()
	}
	if e.Secret, err = cursorSecret(ctx, n.c.Store, n.c.SigningKeys); err != nil {
		return nil, err
	}
	e.Observer = newObserver(n.c, e.Clock, n.metrics)
	return engine.New(e)
}

// Engine returns the node's engine.
func (n *Node) Engine() *engine.Engine { return n.engine }

// Run serves and works until ctx is done. Then it drains: /readyz fails and jobs go back to the queue at once, requests are served for
// DrainDelay, and those in progress may take DrainTimeout more. It returns nil after that, or why the node could not go on.
func (n *Node) Run(ctx context.Context) error {
	run, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var parts sync.WaitGroup
	part := func(f func() error) {
		parts.Go(func() {
			if err := f(); err != nil {
				stop(err)
			}
		})
	}
	if n.c.Work {
		part(func() error { return n.engine.Run(run) })
	}
	servers, err := n.servers()
	if err != nil {
		stop(err)
	}
	for _, s := range servers {
		part(s.serve)
	}
	<-run.Done()
	n.drain(ctx, servers)
	parts.Wait()
	if err := n.engine.Close(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(run)
}

// drain stops the servers, one after the other. Without the end of ctx, the node has failed and waits for nobody.
func (n *Node) drain(ctx context.Context, servers []*server) {
	n.draining.Store(true)
	if n.c.API != nil && ctx.Err() != nil && n.c.DrainDelay > 0 {
		n.c.Log.Info("draining", "delay", n.c.DrainDelay, "timeout", n.c.DrainTimeout)
		time.Sleep(n.c.DrainDelay) // a second signal ends the process
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), n.c.DrainTimeout)
	defer cancel()
	for _, s := range servers {
		s.stop(limit)
	}
}

// servers returns the servers of the node: the API's first, so that probes are answered until the end.
func (n *Node) servers() ([]*server, error) {
	var all []*server
	if n.c.API != nil {
		handler, err := n.apiHandler()
		if err != nil {
			return nil, err
		}
		all = append(all, newServer(n.c.API, handler, n.c.Log))
	}
	if n.c.Admin != nil {
		all = append(all, newServer(n.c.Admin, n.adminHandler(), n.c.Log))
	}
	return all, nil
}

// apiHandler returns the handler of /v1, /storage, and the probes.
func (n *Node) apiHandler() (http.Handler, error) {
	signer, err := files.NewSigner(n.c.SigningKeys...)
	if err != nil {
		return nil, err
	}
	frontend := api.Config{
		Engine: n.engine, Signer: signer, Log: n.c.Log, PublicURL: n.c.PublicURL, RateLimits: n.c.RateLimits, Direct: directOf(n.c.Blobs),
	}
	frontend.Limiter, _ = n.c.Store.(api.Limiter)
	mux := http.NewServeMux()
	n.addProbes(mux)
	n.addOperators(mux)
	served := n.observed(api.New(frontend))
	mux.Handle("/", served)
	return n.closing(api.ExactPaths(mux, served)), nil
}

// adminHandler returns the handler of the probes and /metrics.
func (n *Node) adminHandler() http.Handler {
	mux := http.NewServeMux()
	n.addProbes(mux)
	mux.HandleFunc("GET /metrics", n.metrics.serve)
	return mux
}

// Close stops a node that was not run.
func (n *Node) Close() error {
	var errs []error
	for _, l := range []interface{ Close() error }{n.c.API, n.c.Admin} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(append(errs, n.engine.Close())...)
}
