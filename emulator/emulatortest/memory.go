package emulatortest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// memoryAddr is the address of a server in memory. It is a local address on which nothing listens, so other clients are refused.
const memoryAddr = "127.0.0.1:1"

// memory is a net.Listener whose connections are in-process pipes. It never waits for the operating system, so it works in a
// synctest bubble.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

func newMemory() *memory { return &memory{conns: make(chan net.Conn), done: make(chan struct{})} }

// DialContext connects to the listener, for http.Transport. It fails for other addresses and after Close.
func (m *memory) DialContext(ctx context.Context, _, to string) (net.Conn, error) {
	if to != memoryAddr {
		return nil, &net.OpError{Op: "dial", Net: "memory", Err: errors.New("a sandbox without network can't connect to " + to)}
	}
	here, there := net.Pipe()
	reset := new(atomic.Bool)
	select {
	case m.conns <- newServerConn(there, reset):
		return &clientConn{here, reset}, nil
	case <-m.done:
		return nil, &net.OpError{Op: "dial", Net: "memory", Addr: memoryTCP, Err: syscall.ECONNREFUSED}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Accept implements net.Listener.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case conn := <-m.conns:
		return conn, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (m *memory) Close() error {
	m.close.Do(func() { close(m.done) })
	return nil
}

// Addr implements net.Listener.
func (m *memory) Addr() net.Addr { return memoryTCP }

var memoryTCP = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

// serverConn is the server's end of a connection. Its client has a loopback address, as the control API requires.
type serverConn struct {
	net.Conn
	in    *bufio.Reader
	reset *atomic.Bool
}

// newServerConn buffers what the server reads. Between requests, net/http reads a single byte, so that a client would wait twice for
// every request that it writes.
func newServerConn(c net.Conn, reset *atomic.Bool) *serverConn {
	return &serverConn{c, bufio.NewReader(c), reset}
}

// Read implements io.Reader.
func (c *serverConn) Read(p []byte) (int, error) { return c.in.Read(p) }

func (*serverConn) RemoteAddr() net.Addr { return memoryTCP }

// SetLinger makes Close reset the connection if seconds is 0, like net.TCPConn.
func (c *serverConn) SetLinger(seconds int) error {
	c.reset.Store(seconds == 0)
	return nil
}

// SetReadDeadline only keeps deadlines that end a read now. The server's later ones protect it from slow clients, and each costs a timer.
func (c *serverConn) SetReadDeadline(t time.Time) error {
	if t.After(time.Now()) {
		t = time.Time{}
	}
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline only keeps deadlines that end a write now, for the same reason.
func (c *serverConn) SetWriteDeadline(t time.Time) error {
	if t.After(time.Now()) {
		t = time.Time{}
	}
	return c.Conn.SetWriteDeadline(t)
}

// clientConn is the client's end of a connection.
type clientConn struct {
	net.Conn
	reset *atomic.Bool
}

// Read fails with ECONNRESET when the server has reset the connection.
func (c *clientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) && c.reset.Load() {
		err = &net.OpError{Op: "read", Net: "memory", Addr: memoryTCP, Err: syscall.ECONNRESET}
	}
	return n, err
}
