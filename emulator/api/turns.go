package api

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"
)

// Turns lets as many requests compute at once as there are processors, in the order in which they came. All at once they would be answered
// in no order, and the slowest of a hundred would take seven times as long as the one in the middle.
type Turns struct {
	most int // turns at once

	mu    sync.Mutex
	had   []*turn // turns that are had, the longest first
	queue []*turn // who waits for one, the first first
	timer *time.Timer
}

// NewTurns returns Turns for n requests at once.
func NewTurns(n int) *Turns { return &Turns{most: n} }

// ConnContext is for http.Server: the requests of its connections take turns.
func (t *Turns) ConnContext(ctx context.Context, _ net.Conn) context.Context {
	return context.WithValue(ctx, turnsKey{}, t)
}

type turnsKey struct{}

// longestTurn is how long a request may compute before it is taken for one that waits: for a model, a body, a disk. Nobody looks whether
// it is over unless somebody else waits.
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
	of    *Turns
	began time.Time
	ready chan struct{} // closed when it begins, for who had to wait
}

// again waits for another turn, when the last one has ended.
func (t *turn) again(ctx context.Context) {
	if t == nil || t.of.enter(t) {
		return
	}
	select {
	case <-t.ready:
	case <-ctx.Done():
		t.end()
	}
}

// end lets the next request compute. More than once does nothing.
func (t *turn) end() {
	if t != nil {
		t.of.leave(t)
	}
}

// enter begins a turn if one is free, else it joins the queue.
func (t *Turns) enter(mine *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if len(t.had) == t.most && t.over(now) {
		t.had = slices.Delete(t.had, 0, 1)
		t.next()
	}
	if len(t.had) < t.most {
		t.begin(mine, now)
		return true
	}
	mine.ready = make(chan struct{})
	t.queue = append(t.queue, mine)
	t.watch(now)
	return false
}

// leave ends a turn, or the wait for one.
func (t *Turns) leave(mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.had, mine); i >= 0 {
		t.had = slices.Delete(t.had, i, i+1)
		t.next()
	} else if i := slices.Index(t.queue, mine); i >= 0 {
		t.queue = slices.Delete(t.queue, i, i+1)
	}
}

func (t *Turns) begin(mine *turn, now time.Time) {
	mine.began = now
	t.had = append(t.had, mine)
}

// next gives the turns that are free to the first in the queue.
func (t *Turns) next() {
	for len(t.had) < t.most && len(t.queue) > 0 {
		first := t.queue[0]
		t.queue = slices.Delete(t.queue, 0, 1)
		t.begin(first, time.Now())
		close(first.ready)
	}
}

// over reports whether the longest turn has lasted long enough.
func (t *Turns) over(now time.Time) bool { return now.Sub(t.had[0].began) >= longestTurn }

// watch has a timer end the longest turn, unless there is one already.
func (t *Turns) watch(now time.Time) {
	if t.timer == nil {
		t.timer = time.AfterFunc(t.had[0].began.Add(longestTurn).Sub(now), t.expire)
	}
}

// expire ends turns that have lasted long enough while others wait.
func (t *Turns) expire() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer = nil
	for now := time.Now(); len(t.queue) > 0 && t.over(now); {
		t.had = slices.Delete(t.had, 0, 1)
		t.next()
	}
	if len(t.queue) > 0 {
		t.watch(time.Now())
	}
}
