package sim_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// firstHang is a transcriber whose first calls last until released.
type firstHang struct {
	first    int32
	asked    atomic.Int32
	released chan struct{}
}

func (h *firstHang) Transcribe(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
	if h.asked.Add(1) <= h.first {
		select {
		case <-h.released:
		case <-ctx.Done():
			return engine.Transcription{}, context.Cause(ctx)
		}
	}
	return engine.Transcription{Words: []transcript.Word{{Text: "Hello.", Speaker: "A", End: time.Second}}}, nil
}

// While the work of one account has all workers, a poll finishes the recording of another account, and takes no time to notice
// it. When the work ends, a frozen clock settles and advances.
func TestAccountsDontWaitForOthers(t *testing.T) {
	for _, mode := range []clock.Mode{clock.Auto, clock.Manual} {
		t.Run(string(mode), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				hang := &firstHang{first: 2, released: make(chan struct{})}
				s := newStage(t, mode, takes(time.Hour), func(c *engine.Config) {
					c.Transcriber, c.Workers = hang, map[queue.Class]int{queue.ClassTranscribe: 2, queue.ClassMaintain: 1}
				})
				defer s.start()()
				began := time.Now()
				for range 4 {
					s.record()
				}
				synctest.Wait()
				require.Equal(t, int32(2), hang.asked.Load())
				var err error
				s.caller, err = s.CreateAccount(t.Context(), engine.NewAccount{Name: "Another"})
				require.NoError(t, err)
				r := s.record()
				synctest.Wait()
				require.Equal(t, int32(3), hang.asked.Load())
				if mode == clock.Auto {
					s.sim.Polled(t.Context(), sim.Poll{Key: string(r.ID), State: func(context.Context) (string, []string, error) {
						return string(s.statusOf(r.ID)), []string{string(r.TranscriptID)}, nil
					}})
					require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
				}
				close(hang.released)
				require.NoError(t, s.sim.Settle(t.Context()))
				if mode == clock.Manual {
					hour := time.Hour
					done, err := s.sim.Advance(t.Context(), sim.Target{By: &hour})
					require.NoError(t, err)
					require.True(t, done.Settled)
					require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
				}
				require.Equal(t, int32(5), hang.asked.Load())
				require.Zero(t, time.Since(began))
			})
		})
	}
}
