package emulator

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

const (
	defaultConnections = 16_384 // default of Options.MaxConnections, if the process may open enough files

	idleTimeout = 50 * time.Second // time that a connection may stay open between two requests, so that abandoned ones are gone in a minute

	writeGrace   = 60 * time.Second // time that writes of a response may block in total before writeMinRate applies
	writeMinRate = 4 << 10          // minimum rate of reading a response while writes block, in bytes per second
	writeStall   = 30 * time.Second // time that a piece may take; what the kernel buffers counts as read, so the rate is not enough
	writePiece   = 32 << 10         // bytes of a write with a deadline of their own
	sendBuffer   = 256 << 10        // bytes of a connection's send buffer; bounds the kernel's memory for clients that don't read

	crowd = 1000 // connections whose memory is returned when they leave

	refusals    = 64                     // refused connections that may stay open to send their response
	refusalTime = 500 * time.Millisecond // time that they have for it
)

// connectionLimit returns the default maximum number of connections. It leaves a quarter of the files that the process may open to
// everything else.
func connectionLimit() int {
	if files := maxFiles(); files > 0 && files/4*3 < defaultConnections {
		return int(files / 4 * 3)
	}
	return defaultConnections
}

// limitedListener limits the number of open connections. A connection above the limit gets 503.
type limitedListener struct {
	net.Listener
	most    int64
	open    atomic.Int64
	peak    atomic.Int64  // most open connections since memory was last returned to the system
	refused chan struct{} // a slot for each refused connection that is still open
}

func limitConnections(l net.Listener, most int) *limitedListener {
	return &limitedListener{Listener: l, most: int64(most), refused: make(chan struct{}, refusals)}
}

// Accept implements net.Listener. TLS connections have no limits, because net/http must see their type.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if _, ok := raw.(*tls.Conn); ok {
			return raw, nil
		}
		open := l.open.Add(1)
		if open > l.most {
			l.open.Add(-1)
			l.refuse(raw)
			continue
		}
		l.peak.Store(max(open, l.peak.Load())) // only Accept raises it
		if tcp, ok := raw.(*net.TCPConn); ok {
			_ = tcp.SetWriteBuffer(sendBuffer)
		}
		return &conn{Conn: raw, release: sync.OnceFunc(l.release)}, nil
	}
}

// release ends a connection. When most of a crowd has left, its memory is returned to the system: Go itself waits for minutes when nothing
// else happens.
func (l *limitedListener) release() {
	open, peak := l.open.Add(-1), l.peak.Load()
	if peak >= crowd && open <= peak/8 && l.peak.CompareAndSwap(peak, open) {
		go debug.FreeOSMemory()
	}
}

// refuse answers a connection with 503 and closes it. It never blocks.
func (l *limitedListener) refuse(raw net.Conn) {
	select {
	case l.refused <- struct{}{}:
	default:
		_ = raw.Close()
		return
	}
	go func() {
		defer func() { <-l.refused }()
		defer func() { _ = raw.Close() }()
		_ = raw.SetDeadline(time.Now().Add(refusalTime))
		_, _ = raw.Write(errorResponse(http.StatusServiceUnavailable, fmt.Sprintf("The server has %d open connections, the maximum.", l.most),
			"Close connections that you don't use, or raise --max-connections."))
		closeWrite(raw)
		_, _ = io.Copy(io.Discard, io.LimitReader(raw, maxHeaderBytes)) // closing with unread bytes would discard the response
	}()
}

// conn is a client's connection. A write fails when the client reads too slowly. Framing errors of net/http become JSON.
type conn struct {
	net.Conn
	release func()
	handled atomic.Bool // whether a handler serves the current request

	// State of the current response. Only one goroutine writes at a time.
	written int64
	blocked time.Duration // time spent in writes
}

// connKey is the context key of a request's *conn.
type connKey struct{}

// idle tells the connection that a response has ended.
func (c *conn) idle() {
	c.handled.Store(false)
	c.written, c.blocked = 0, 0
}

// Write implements net.Conn. It fails with os.ErrDeadlineExceeded when the client reads slower than writeMinRate on average after
// writeGrace, or nothing for writeStall. Only the time in writes counts, so a stream may pause as long as it likes.
func (c *conn) Write(p []byte) (n int, err error) {
	if !c.handled.Load() {
		if own := framingError(p); own != nil {
			_, err := c.writePieces(own)
			return len(p), err
		}
	}
	return c.writePieces(p)
}

func (c *conn) writePieces(p []byte) (n int, err error) {
	for {
		start := time.Now()
		left := writeGrace + time.Duration(c.written/writeMinRate)*time.Second - c.blocked
		if err := c.SetWriteDeadline(start.Add(min(left, writeStall))); err != nil {
			return n, err
		}
		m, err := c.Conn.Write(p[n : n+min(len(p)-n, writePiece)])
		c.blocked += time.Since(start)
		c.written += int64(m)
		if n += m; err != nil || n == len(p) {
			return n, err
		}
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.release()
	return c.Conn.Close()
}

// CloseWrite sends the end of the response. net/http calls it before it waits for the client to close.
func (c *conn) CloseWrite() error {
	closeWrite(c.Conn)
	return nil
}

// NetConn returns the underlying connection, which faults reset.
func (c *conn) NetConn() net.Conn { return c.Conn }

func closeWrite(c net.Conn) {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}
