package emulatortest

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// answer is the body of an answer, as the client reads it.
type answer struct {
	x      *exchange
	forget func() bool // stops the watch over the client's context
	closed bool        // guarded by x.mu
}

var errReadClosed = errors.New("http: read on closed response body")

// Read implements io.Reader.
func (a *answer) Read(p []byte) (int, error) {
	x := a.x
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		switch {
		case a.closed:
			return 0, errReadClosed
		case x.broken != nil && x.err != nil && !errors.Is(x.err, io.EOF):
			return 0, x.err
		case len(x.buf) > x.off && len(p) > 0:
			n := copy(p, x.buf[x.off:])
			if x.off += n; x.off == len(x.buf) {
				x.buf, x.off = x.buf[:0], 0
			}
			if x.off >= buffered/2 {
				x.buf, x.off = x.buf[:copy(x.buf, x.buf[x.off:])], 0
			}
			x.changed.Broadcast()
			return n, nil
		case x.done:
			return 0, x.err
		case len(p) == 0:
			return 0, nil
		}
		x.changed.Wait()
	}
}

// Close implements io.Closer: a handler that is still writing sees that its client has gone.
func (a *answer) Close() error {
	a.x.mu.Lock()
	a.closed = true
	done := a.x.done
	a.x.mu.Unlock()
	a.forget()
	if !done {
		a.x.fail(net.ErrClosed)
	}
	return nil
}

// requestBody is the body of a request, as the handler reads it.
type requestBody struct {
	x    *exchange
	left int64 // bytes that are to come, -1 when it isn't known

	mu    sync.Mutex
	timer *time.Timer // closes the body when its time is over
	late  bool        // it is
}

// Read implements io.Reader.
func (b *requestBody) Read(p []byte) (int, error) {
	if b.left >= 0 {
		p = p[:min(int64(len(p)), b.left)]
		if b.left == 0 {
			return 0, io.EOF
		}
	}
	n, err := b.x.client.Body.Read(p)
	if b.left >= 0 {
		b.left -= int64(n)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.late && !errors.Is(err, io.EOF):
		return n, os.ErrDeadlineExceeded
	case errors.Is(err, io.EOF) && b.left > 0:
		err = io.ErrUnexpectedEOF // it is shorter than it was said to be
	}
	return n, err
}

// Close implements io.Closer.
func (b *requestBody) Close() error { return b.x.client.Body.Close() }

// until sets the time when it is too late.
func (b *requestBody) until(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
	}
	if b.timer = nil; !at.IsZero() && b.x.client.Body != nil {
		b.timer = time.AfterFunc(time.Until(at), func() {
			b.mu.Lock()
			b.late = true
			b.mu.Unlock()
			closeBody(b.x.client)
		})
	}
}

// forget ends the watch over the time.
func (b *requestBody) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.timer != nil {
		b.timer.Stop()
	}
}
