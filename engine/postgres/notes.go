package postgres

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is the name under which processes notify each other of changes.
const channel = "soundstage_changes"

// noteInterval is the shortest time between two notifications of one process. A notification inside a transaction would make commits wait
// for each other, so it is sent after the commit, and one is enough for many commits.
const noteInterval = 5 * time.Millisecond

// notes notifies other processes of changes, and this one of theirs. A notification that is lost costs time, not correctness: a waiting call
// also looks every second.
type notes struct {
	pool *pgxpool.Pool
	name string // of this process
	sent chan struct{}

	mu    sync.Mutex
	heard []func()
}

func newNotes(pool *pgxpool.Pool) *notes {
	return &notes{pool: pool, name: rand.Text(), sent: make(chan struct{}, 1)}
}

// OnChange makes the store call fn after changes of other processes, until Close. fn must return at once.
func (s *Store) OnChange(fn func()) {
	s.notes.mu.Lock()
	defer s.notes.mu.Unlock()
	s.notes.heard = append(s.notes.heard, fn)
}

// changed makes send notify the others soon.
func (n *notes) changed() {
	select {
	case n.sent <- struct{}{}:
	default:
	}
}

// send notifies other processes until ctx is done.
func (n *notes) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.sent:
		}
		_, _ = n.pool.Exec(ctx, "SELECT pg_notify($1, $2)", channel, n.name)
		sleep(ctx, noteInterval)
	}
}

// listen calls the functions of OnChange until ctx is done.
func (n *notes) listen(ctx context.Context) {
	for ctx.Err() == nil {
		_ = n.hear(ctx)
		n.tell() // something may have been missed
		sleep(ctx, time.Second)
	}
}

// hear listens on one connection until it is lost.
func (n *notes) hear(ctx context.Context) error {
	pooled, err := n.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	conn := pooled.Hijack()
	defer conn.Close(bg) //nolint:errcheck // it may be lost
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if note.Payload != n.name {
			n.tell()
		}
	}
}

func (n *notes) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, fn := range n.heard {
		fn()
	}
}
