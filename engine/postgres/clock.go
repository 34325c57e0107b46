package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// offset is how far the server's clock is ahead of this machine's, in nanoseconds.
type offset struct{ atomic.Int64 }

// clockInterval is how often the server's time is read.
const clockInterval = 30 * time.Second

// Clock returns a clock with the server's time, so that all processes agree on when a lease ends. It is right to about half a round trip.
// Its timers are those of this machine.
func (s *Store) Clock() engine.Clock { return clock{&s.offset} }

type clock struct{ offset *offset }

func (c clock) Now() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) }

func (c clock) NewTimer(d time.Duration) engine.Timer { return queue.SystemClock().NewTimer(d) }

// readClock measures the offset: of three readings, that with the shortest round trip.
func (s *Store) readClock(ctx context.Context) error {
	best := time.Duration(1<<63 - 1)
	for range 3 {
		var micros int64
		before := time.Now()
		if err := s.pool.QueryRow(ctx, "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").Scan(&micros); err != nil {
			return err
		}
		if took := time.Since(before); took < best {
			best = took
			s.offset.Store(int64(time.UnixMicro(micros).Sub(before.Add(took / 2))))
		}
	}
	return nil
}

// keepClock reads the server's time until ctx is done.
func (s *Store) keepClock(ctx context.Context) {
	for ctx.Err() == nil {
		if sleep(ctx, clockInterval); ctx.Err() == nil {
			_ = s.readClock(ctx) // the last offset stays
		}
	}
}
