package api

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// Turns lets as many requests compute at once as there are processors, in the order in which they came. All at once they would be answered
// in no order, and the slowest of a hundred would take seven times as long as the one in the middle.
type Turns struct{ taken chan struct{} }

// NewTurns returns Turns for n requests at once.
func NewTurns(n int) *Turns { return &Turns{make(chan struct{}, n)} }

// ConnContext is for http.Server: the requests of its connections take turns.
func (t *Turns) ConnContext(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, turnsKey{}, t)
}

type turnsKey struct{}

// longestTurn is how long a request may compute before it is taken for one that waits: for a model, a body, a disk.
const longestTurn = 20 * time.Millisecond

// takeTurn waits for a request's turn, if its server has any. It returns at once when ctx is done.
func takeTurn(ctx context.Context) *turn {
	t, ok := ctx.Value(turnsKey{}).(*Turns)
	if !ok {
		return nil
	}
	mine := &turn{of: t}
	mine.again(ctx)
	return mine
}

// turn is a request's time to compute; nil is any time.
type turn struct {
	of   *Turns
	last *span
}

// span is a time for which a turn is had.
type span struct {
	of    *Turns
	timer *time.Timer
	over  atomic.Bool
}

// again waits for another turn, when the last one has ended.
func (t *turn) again(ctx context.Context) {
	if t == nil {
		return
	}
	select {
	case t.of.taken <- struct{}{}:
		s := &span{of: t.of}
		s.timer = time.AfterFunc(longestTurn, s.free)
		t.last = s
	case <-ctx.Done():
		t.last = nil
	}
}

// end lets the next request compute. More than once does nothing.
func (t *turn) end() {
	if t != nil && t.last != nil {
		t.last.timer.Stop()
		t.last.free()
	}
}

func (s *span) free() {
	if s.over.CompareAndSwap(false, true) {
		<-s.of.taken
	}
}
