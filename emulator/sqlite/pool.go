//go:build cgo

package sqlite

import (
	"context"
	"errors"
)

// pool is a fixed number of connections, each opened when it is first needed. Whoever takes one gives it back.
type pool struct {
	conns chan *conn // nil is a connection that is not open
	open  func() (*conn, error)
}

func newPool(size int, open func() (*conn, error)) *pool {
	p := &pool{conns: make(chan *conn, size), open: open}
	for range size {
		p.conns <- nil
	}
	return p
}

// take waits for a connection until ctx is done or closed is closed.
func (p *pool) take(ctx context.Context, closed <-chan struct{}) (*conn, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var c *conn
	select {
	case c = <-p.conns:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-closed:
		return nil, errClosed
	}
	if c == nil {
		var err error
		if c, err = p.open(); err != nil {
			p.conns <- nil
			return nil, translate(err)
		}
	}
	return c, nil
}

// give takes a connection back. One that is still inside a transaction is of no more use.
func (p *pool) give(c *conn) {
	if c.inTransaction() {
		_ = c.close()
		c = nil
	}
	p.conns <- c
}

// close waits for all connections and closes them; last, if not nil, is called with each that is open before. The pool
// gives none away any more.
func (p *pool) close(last func(*conn) error) error {
	var errs []error
	for range cap(p.conns) {
		c := <-p.conns
		if c == nil {
			continue
		}
		if last != nil {
			errs = append(errs, last(c))
		}
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}
