package sim_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A simulated job waits, works, and then waits for the clock without a worker, so three jobs of one worker end together. The
// duration of a transcription can depend on its media.
func TestJobsTakeTheirTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Real, timings(func(tx engine.ReadTx, j queue.Job) sim.Timing {
			timing := sim.Timing{Wait: 2 * time.Second, Duration: time.Second}
			if row, err := tx.Transcript(engine.TranscriptID(j.Ref)); err == nil && row.Duration > 0 {
				timing.Duration = row.Duration / 4
			}
			return timing
		}), nil)
		defer s.start()()
		var ids []engine.RecordingID
		for range 3 {
			ids = append(ids, s.record().ID)
		}
		for _, at := range []struct {
			wait time.Duration
			want engine.TranscriptStatus
		}{
			{2*time.Second - time.Millisecond, engine.TranscriptQueued}, {time.Millisecond, engine.TranscriptProcessing},
			{15*time.Second - time.Millisecond, engine.TranscriptProcessing}, {time.Millisecond, engine.TranscriptCompleted},
		} {
			time.Sleep(at.wait)
			synctest.Wait()
			for _, id := range ids {
				require.Equal(t, at.want, s.statusOf(id))
			}
			if at.want == engine.TranscriptProcessing {
				pending, err := s.sim.Pending(t.Context())
				require.NoError(t, err)
				require.False(t, pending[0].Working())
				require.NoError(t, s.sim.Settle(t.Context()), "Settle doesn't wait for lingering attempts")
			}
		}
	})
}

// A cancel immediately ends a job that only waits for the clock, and Settle waits for that.
func TestCancelOfLingering(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Manual, takes(time.Hour), nil)
		defer s.start()()
		r := s.record()
		require.NoError(t, s.sim.Settle(t.Context()))
		require.Equal(t, engine.TranscriptProcessing, s.statusOf(r.ID))
		n, err := s.CancelJobsOf(t.Context(), string(r.TranscriptID))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.NoError(t, s.sim.Settle(t.Context()))
		require.Equal(t, engine.TranscriptError, s.statusOf(r.ID))
	})
}

// A scripted failure does no work, takes its simulated time, and ends with its error: permanently, with a retry, or as a
// cancellation.
func TestScriptedFailure(t *testing.T) {
	for name, c := range map[string]struct {
		fail  *engine.Error
		want  engine.TranscriptStatus
		error string
		asked int
	}{
		"permanent": {engine.Errorf(engine.CodeBadMedia, "Script", "The file is broken."), engine.TranscriptError, "The file is broken.", 0},
		"canceled":  {engine.Errorf(engine.CodeCanceled, "Script", "Stop."), engine.TranscriptError, "The operation was canceled.", 0},
		"transient": {engine.Errorf(engine.CodeUnavailable, "Script", "Try again.").Transient(), engine.TranscriptCompleted, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := newStage(t, clock.Real, timings(func(_ engine.ReadTx, j queue.Job) sim.Timing {
					timing := sim.Timing{Duration: 10 * time.Second}
					if j.Attempt == 1 && j.Kind == "transcript.transcribe" {
						timing.Fail = c.fail
					}
					return timing
				}), nil)
				defer s.start()()
				r := s.record()
				time.Sleep(9 * time.Second)
				synctest.Wait()
				require.Equal(t, engine.TranscriptProcessing, s.statusOf(r.ID))
				require.Zero(t, s.heard.asked)
				_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
				require.Equal(t, c.error == "", err == nil, err)
				require.Equal(t, c.want, s.statusOf(r.ID))
				require.Equal(t, c.asked, s.heard.asked)
				require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
					row, err := tx.Transcript(r.TranscriptID)
					require.Equal(t, c.error, row.Error)
					return err
				}))
			})
		})
	}
}

// Stopping the engine returns a lingering job to the queue, and the next start runs it again. Nothing settles while no engine
// runs.
func TestRestartOfLingering(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Real, takes(time.Minute), nil)
		stop := s.start()
		r := s.record()
		require.NoError(t, s.sim.Settle(t.Context()))
		stop()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, engine.CodeCanceled, engine.CodeOf(s.sim.Settle(ctx)))
		defer s.start()()
		began := time.Now()
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
		require.GreaterOrEqual(t, time.Since(began), time.Minute)
	})
}

// endings records the order in which attempts end.
type endings struct {
	*sim.Simulation
	mu   sync.Mutex
	keys []string
}

func (e *endings) Ended(a *queue.Attempt, event queue.Event) {
	if a.Job.Kind == "transcript.transcribe" {
		e.mu.Lock()
		e.keys = append(e.keys, a.Job.Key)
		e.mu.Unlock()
	}
	e.Simulation.Ended(a, event)
}

// Attempts that are due at the same time end one after another, in order of their keys, also if they take no time.
func TestOrderOfEndings(t *testing.T) {
	t.Run("lasting", func(t *testing.T) { testOrderOfEndings(t, sim.Timing{Duration: time.Minute, AtOnce: true}) })
	t.Run("instant", func(t *testing.T) { testOrderOfEndings(t, sim.Timing{Wait: time.Minute, AtOnce: true}) })
}

func testOrderOfEndings(t *testing.T, timing sim.Timing) {
	bubble(t, func(t *testing.T) {
		order := &endings{}
		jobs := timings(func(engine.ReadTx, queue.Job) sim.Timing { return timing })
		s := newStage(t, clock.Manual, jobs, func(c *engine.Config) {
			c.Workers[queue.ClassTranscribe] = 4
			order.Simulation = c.Observer.(*sim.Simulation)
			c.Observer = order
		})
		defer s.start()()
		for range 30 {
			s.record()
		}
		require.NoError(t, s.sim.Settle(t.Context()))
		by := time.Minute
		done, err := s.sim.Advance(t.Context(), sim.Target{By: &by})
		require.NoError(t, err)
		require.True(t, done.Settled)
		require.Len(t, order.keys, 30)
		require.True(t, slices.IsSorted(order.keys))
		require.Len(t, done.Events, 60, "each recording has a transcription and a clean-up")
		for _, e := range done.Events {
			require.Equal(t, "completed", e.Status)
		}
	})
}

// lateEnd reports the end of the first attempt of a transcription only after the second one has started.
type lateEnd struct {
	*sim.Simulation
	started, ended chan struct{}
}

func (l *lateEnd) Started(a *queue.Attempt) {
	l.Simulation.Started(a)
	if a.Job.Attempt == 2 {
		close(l.started)
	}
}

func (l *lateEnd) Work(ctx context.Context, a *queue.Attempt) error {
	if a.Job.Attempt == 2 {
		<-l.ended
	}
	return l.Simulation.Work(ctx, a)
}

func (l *lateEnd) Ended(a *queue.Attempt, event queue.Event) {
	if event == queue.Errored {
		<-l.started
		defer close(l.ended)
	}
	l.Simulation.Ended(a, event)
}

// busyOnce is a Transcriber whose first call fails.
type busyOnce struct{ transcriber }

func (b *busyOnce) Transcribe(ctx context.Context, r engine.TranscribeRequest) (engine.Transcription, error) {
	out, _ := b.transcriber.Transcribe(ctx, r)
	if b.asked == 1 {
		return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "Busy.").Transient()
	}
	return out, nil
}

// The next attempt of a job may start before the end of the last one is reported.
func TestOverlappingAttempts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Auto, takes(time.Minute), func(c *engine.Config) {
			c.Transcriber, c.Random = &busyOnce{}, func() float64 { return 0 }
			c.Workers[queue.ClassTranscribe] = 2
			c.Observer = &lateEnd{c.Observer.(*sim.Simulation), make(chan struct{}), make(chan struct{})}
		})
		defer s.start()()
		r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
	})
}
