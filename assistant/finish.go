package assistant

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// finish is how long calls may go on when the client sends no more. One that sends its messages from a file or a pipe still reads the answers;
// the work of one that is gone ends then.
const finish = time.Second

// finishing is a transport whose input ends when all calls are answered, or after finish. The library drops the answers of calls that run
// when the input ends, even that of initialize.
type finishing struct{ mcp.Transport }

// Connect implements mcp.Transport.
func (f finishing) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := f.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &finishingConn{Connection: conn, answered: make(chan struct{}, 1), closed: make(chan struct{})}, nil
}

type finishingConn struct {
	mcp.Connection
	open     atomic.Int64  // calls without an answer
	answered chan struct{} // gets a value after an answer
	close    sync.Once
	closed   chan struct{}
}

// Read implements mcp.Connection.
func (c *finishingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if call, ok := message.(*jsonrpc.Request); ok && call.IsCall() {
		c.open.Add(1)
	}
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	return message, err
}

func (c *finishingConn) wait(ctx context.Context) {
	limit := time.NewTimer(finish)
	defer limit.Stop()
	for c.open.Load() > 0 {
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		case <-limit.C:
			return
		}
	}
}

// Write implements mcp.Connection.
func (c *finishingConn) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if _, ok := message.(*jsonrpc.Response); ok {
		c.open.Add(-1)
		select {
		case c.answered <- struct{}{}:
		default: // there is one that wait hasn't seen
		}
	}
	return err
}

// Close implements mcp.Connection.
func (c *finishingConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
