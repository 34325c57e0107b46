package sim_test

import (
	"context"
	"sync"
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

var errAsked = engine.Errorf(engine.CodeUnprocessable, "Fail", "It was let fail.")

// jobOf returns the newest job about a row.
func (s *stage) jobOf(ref string) queue.Job {
	s.t.Helper()
	page, err := s.ListJobs(s.t.Context(), engine.JobList{Refs: []string{ref}, Kinds: []queue.Kind{engine.JobTranscribe}})
	require.NoError(s.t, err)
	require.NotEmpty(s.t, page.Jobs)
	return page.Jobs[0]
}

func (s *stage) errorOf(r engine.Recording) (message string) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(context.Background(), func(tx engine.ReadTx) error {
		row, err := tx.Transcript(r.TranscriptID)
		message = row.Error
		return err
	}))
	return message
}

// A waiting job that must fail doesn't do its work, and fails permanently although its error could be retried.
func TestFailWaiting(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Manual, timings(func(engine.ReadTx, queue.Job) sim.Timing { return sim.Timing{Wait: time.Minute} }), nil)
		defer s.start()()
		r, other := s.record(), s.record()
		j := s.jobOf(string(r.TranscriptID))
		at, waits := s.sim.Waits(j)
		require.True(t, waits)
		require.Equal(t, s.clock.Now().Add(time.Minute).UTC(), at)
		s.sim.Fail(j.ID, errAsked)
		require.Equal(t, errAsked, s.sim.Failing(j.ID))
		require.NoError(t, s.sim.Settle(t.Context()))
		require.Equal(t, engine.TranscriptQueued, s.statusOf(r.ID))
		_, err := s.sim.Advance(t.Context(), sim.Target{By: new(time.Minute)})
		require.NoError(t, err)
		require.Equal(t, queue.Failed, s.jobOf(string(r.TranscriptID)).Status)
		require.Equal(t, 1, s.jobOf(string(r.TranscriptID)).Attempt)
		require.Equal(t, engine.TranscriptError, s.statusOf(r.ID))
		require.Equal(t, "It was let fail.", s.errorOf(r))
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(other.ID))
		require.Equal(t, 1, s.heard.asked)
		require.Nil(t, s.sim.Failing(j.ID))
	})
}

// blocked is a Transcriber that works until its context ends.
type blocked struct{ began chan struct{} }

func (b blocked) Transcribe(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
	close(b.began)
	<-ctx.Done()
	return engine.Transcription{Words: []transcript.Word{{Text: "Late.", End: time.Second}}}, nil
}

// A job that must fail is stopped while it works, and while it waits for the clock.
func TestFailRunning(t *testing.T) {
	for name, wait := range map[string]time.Duration{"works": 0, "waits": time.Hour} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				began := make(chan struct{})
				s := newStage(t, clock.Manual, takes(wait), func(c *engine.Config) {
					if wait == 0 {
						c.Transcriber = blocked{began}
					}
				})
				defer s.start()()
				r := s.record()
				if wait == 0 {
					<-began
				}
				synctest.Wait()
				j := s.jobOf(string(r.TranscriptID))
				require.Equal(t, queue.Running, j.Status)
				_, waits := s.sim.Waits(j)
				require.Equal(t, wait > 0, waits)
				require.Equal(t, wait == 0, s.sim.Works(j.ID))
				s.sim.Fail(j.ID, errAsked)
				require.NoError(t, s.sim.Settle(t.Context()))
				require.Equal(t, queue.Failed, s.jobOf(string(r.TranscriptID)).Status)
				require.Equal(t, "It was let fail.", s.errorOf(r))
				require.Nil(t, s.sim.Failing(j.ID))
			})
		})
	}
}

// A cancel comes before a failure, and a stop of the engine leaves the failure for the next attempt.
func TestFailAndStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Manual, takes(time.Hour), nil)
		stop := s.start()
		r := s.record()
		synctest.Wait()
		j := s.jobOf(string(r.TranscriptID))
		stop()
		s.sim.Fail(j.ID, errAsked)
		require.Equal(t, queue.Queued, s.jobOf(string(r.TranscriptID)).Status)
		defer s.start()()
		synctest.Wait()
		require.Equal(t, queue.Failed, s.jobOf(string(r.TranscriptID)).Status)

		r = s.record()
		j = s.jobOf(string(r.TranscriptID))
		s.sim.Fail(j.ID, errAsked)
		require.NoError(t, s.CancelJob(t.Context(), j.ID))
		synctest.Wait()
		require.Equal(t, queue.Canceled, s.jobOf(string(r.TranscriptID)).Status)
	})
}

// Step ends exactly one attempt's wait for the clock, which stays where it is.
func TestStep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var waits sync.Map
		s := newStage(t, clock.Manual, takes(time.Hour), nil)
		s.sim.SetWaits(func(j queue.Job) { waits.Store(j.ID, true) })
		defer s.start()()
		r, other := s.record(), s.record()
		synctest.Wait()
		now, j := s.clock.Now(), s.jobOf(string(other.TranscriptID)) // not the first to end
		_, told := waits.Load(j.ID)
		require.True(t, told)
		require.NoError(t, s.sim.Step(j.ID))
		require.NoError(t, s.sim.Settle(t.Context()))
		require.Equal(t, queue.Completed, s.jobOf(string(other.TranscriptID)).Status)
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(other.ID))
		require.Equal(t, queue.Running, s.jobOf(string(r.TranscriptID)).Status)
		require.Equal(t, now, s.clock.Now())
		err := s.sim.Step(j.ID)
		require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	})
}

// A job that works, and one whose message is held, can't be stepped.
func TestStepRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		began := make(chan struct{})
		s := newStage(t, clock.Manual, takes(0), func(c *engine.Config) { c.Transcriber = blocked{began} })
		defer s.start()()
		r := s.record()
		<-began
		err := s.sim.Step(s.jobOf(string(r.TranscriptID)).ID)
		require.ErrorContains(t, err, "The job is working")
		require.Equal(t, engine.CodeConflict, engine.CodeOf(err))
	})
}

// Everybody who sets or moves the clock reports it.
func TestMoved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		moved := 0
		s := newStage(t, clock.Manual, takes(time.Hour), nil)
		s.sim.SetMoved(func() { moved++ })
		defer s.start()()
		require.NoError(t, s.sim.SetClock(t.Context(), clock.Setting{Mode: clock.Auto}))
		require.Equal(t, 1, moved)
		_, err := s.sim.Advance(t.Context(), sim.Target{By: new(time.Minute)})
		require.NoError(t, err)
		require.Equal(t, 2, moved)
		r := s.record()
		synctest.Wait()
		s.sim.Polled(t.Context(), sim.Poll{Key: "a", State: func(context.Context) (string, []string, error) {
			return string(s.statusOf(r.ID)), []string{string(r.TranscriptID)}, nil
		}})
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
		require.Equal(t, 3, moved)
	})
}
