package postgres

import (
	"context"
	"crypto/rand"
	mathrand "math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/internal/rows"
)

// PostgreSQL ends a SERIALIZABLE transaction that doesn't fit with others which ran at the same time, with SQLSTATE 40001. Update runs it
// again. Under contention, such as 16 uploads to one account, each commit would end all others, and most work would be lost. So a second
// attempt first takes a lock, the lane, and the losers run one after another. LOCK TABLE is the one lock that a transaction can take before
// its snapshot, so the next one in the lane sees what the one before has written.
const takeLane = "LOCK TABLE lane IN EXCLUSIVE MODE"

const (
	maxAttempts = 200              // of a transaction that is ended because of others
	patience    = 15 * time.Second // how long to try to reach the server
)

var writeOptions = pgx.TxOptions{IsoLevel: pgx.Serializable, AccessMode: pgx.ReadWrite}

// stats counts what happens to transactions.
type stats struct{ conflicts, losses atomic.Int64 }

// Stats returns how many transactions ran again since Open: because of others that ran at the same time, and because a connection was lost.
func (s *Store) Stats() (conflicts, losses int64) {
	return s.stats.conflicts.Load(), s.stats.losses.Load()
}

// Update runs fn in a SERIALIZABLE transaction, several times if necessary. If fn returns an error, panics, or calls runtime.Goexit, or if a
// statement failed and fn ignored it, nothing is committed.
//
// When the connection is lost during the commit, Update asks the server whether it succeeded. CodeUnavailable if the server can't be reached
// for 15 seconds.
func (s *Store) Update(ctx context.Context, fn func(engine.Tx) error) error {
	r := retries{began: time.Now()}
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t := &tx{readTx: readTx{store: s, ctx: ctx, options: writeOptions, lane: r.conflicts > 0, retries: retries{began: r.began}}}
		err := t.run(fn)
		if err == nil {
			return nil
		}
		if t.err == nil || !r.allow(ctx, &s.stats, t.err) {
			return err
		}
	}
}

// run runs fn and commits.
func (t *tx) run(fn func(engine.Tx) error) error {
	committed := false
	defer func() { t.end(committed) }()
	if err := fn(t); err != nil {
		return err
	}
	if t.failed == nil {
		t.fail(t.commit())
	}
	committed = t.failed == nil
	return t.failed
}

// commit sends the waiting writes, inserts River jobs for jobs that wait, and commits.
func (t *tx) commit() error {
	if t.tx == nil && len(t.waiting) == 0 {
		return nil
	}
	var id, token string
	if t.wrote || len(t.waiting) > 0 {
		token = rand.Text()
		if err := t.read(func(r *rows.Row) { id = r.Text() }, noteCommit, []any{token}); err != nil {
			return err
		}
		if err := t.deliver(); err != nil {
			return err
		}
	}
	err := t.tx.Commit(bg)
	if isLost(err) {
		if id == "" { // everything was read
			return nil
		}
		err = t.store.outcome(id, token)
	}
	if err == nil && id != "" {
		t.store.notes.changed()
	}
	return err
}

// noteCommit adds a token to a transaction, and returns the transaction's ID.
const noteCommit = "INSERT INTO commits (token) VALUES ($1) RETURNING pg_current_xact_id()::text"

// outcome returns how a transaction ended whose connection was lost: nil if it was committed. A server that crashed, or another one that took
// over, may have given the ID to another transaction since, so that only the token shows a commit. The ID shows when a transaction has ended.
func (s *Store) outcome(id, token string) error {
	ctx, cancel := context.WithTimeout(bg, patience)
	defer cancel()
	for {
		var status *string
		err := s.pool.QueryRow(ctx, "SELECT pg_xact_status($1::text::xid8)", id).Scan(&status)
		switch {
		case err == nil && (status == nil || *status == "committed"):
			if err := s.committed(ctx, token); !isLost(err) {
				return err
			}
		case err == nil && *status == "aborted", stateOf(err) == stateInvalidValue: // the server has given out no such ID
			return errAborted
		}
		if sleep(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return errUnknown
		}
	}
}

// committed returns nil if the transaction with the token was committed, or else errAborted. The transaction must have ended.
func (s *Store) committed(ctx context.Context, token string) error {
	found := false
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM commits WHERE token = $1)", token).Scan(&found)
	if err == nil && !found {
		err = errAborted
	}
	return err
}

// retries counts the attempts of one transaction.
type retries struct {
	began             time.Time
	conflicts, losses int
}

// allow reports whether to run a transaction again that failed with err, after a pause.
func (r *retries) allow(ctx context.Context, s *stats, err error) bool {
	switch {
	case isConflict(err) && r.conflicts < maxAttempts:
		r.conflicts++
		s.conflicts.Add(1)
		if r.conflicts > 3 {
			sleep(ctx, time.Duration(mathrand.Int64N(int64(time.Millisecond)*int64(min(r.conflicts, 20)))))
		}
		return true
	case isLost(err) && time.Since(r.began) < patience:
		r.losses++
		s.losses.Add(1)
		if r.losses > 3 { // the first connections of the pool may all be of a server that was restarted
			sleep(ctx, 100*time.Millisecond)
		}
		return true
	}
	return false
}

// sleep waits, or until ctx is done.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
