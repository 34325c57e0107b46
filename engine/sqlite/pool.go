package sqlite

import (
	"context"
	"errors"
	"sync"
)

// pool is a set of connections. It opens a new one only when all others are in use. Callers must give connections back.
type pool struct {
	free chan struct{} // one token for each connection that can be taken
	open func() (*conn, error)

	mu   sync.Mutex
	idle []*conn // open and not in use; last in, first out, because the last one has a warm cache
}

func newPool(size int, open func() (*conn, error)) *pool {
	p := &pool{free: make(chan struct{}, size), open: open}
	for range size {
		p.free <- struct{}{}
	}
	return p
}

// take waits for a connection until ctx is done or closed is closed.
func (p *pool) take(ctx context.Context, closed <-chan struct{}) (*conn, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-closed:
		return nil, errClosed
	}
	if c := p.pop(); c != nil {
		return c, nil
	}
	c, err := p.open()
	if err != nil {
		p.free <- struct{}{}
		return nil, translate(err)
	}
	return c, nil
}

func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c
}

func (p *pool) push(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// put returns a connection to the pool. It closes one that is still inside a transaction.
func (p *pool) put(c *conn) {
	if c.inTransaction {
		_ = c.close()
	} else {
		p.push(c)
	}
	p.free <- struct{}{}
}

// close waits for all connections and closes them. It calls last, if not nil, with each one first. Afterwards the pool hands
// out no connections.
func (p *pool) close(last func(*conn) error) error {
	for range cap(p.free) {
		<-p.free
	}
	var errs []error
	for _, c := range p.idle {
		if last != nil {
			errs = append(errs, last(c))
		}
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}
