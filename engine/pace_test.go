package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// paces is a Pace that is a function.
type paces func(tx engine.ReadTx, j engine.Job) engine.Timing

func (p paces) Timing(_ context.Context, tx engine.ReadTx, j engine.Job) (engine.Timing, error) {
	return p(tx, j), nil
}

func (s *stage) statusOf(id engine.RecordingID) engine.TranscriptStatus {
	s.t.Helper()
	r, _, err := s.GetRecording(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	return r.TranscriptStatus
}

// A paced job waits, works, and lingers until it has taken its time, without a worker: three end together although one may work at once.
// The media's length is known when the pace of a transcription is asked for the last time.
func TestPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{
			Workers: map[engine.JobClass]int{engine.ClassTranscribe: 1, engine.ClassGenerate: 1},
			Pace: paces(func(tx engine.ReadTx, j engine.Job) engine.Timing {
				timing := engine.Timing{Wait: 2 * time.Second, Take: time.Second}
				if row, err := tx.Transcript(engine.TranscriptID(j.Ref)); err == nil && row.Duration > 0 {
					timing.Take = row.Duration / 4
				}
				return timing
			}),
		})
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
				pending, err := s.Pending(t.Context())
				require.NoError(t, err)
				require.False(t, pending[0].Working())
				require.NoError(t, s.Settle(t.Context()), "what lingers is no reason to wait")
			}
		}
	})
}

// A cancel ends a job at once that only waits for the clock.
func TestCancelOfLingering(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Pace: paces(func(engine.ReadTx, engine.Job) engine.Timing { return engine.Timing{Take: time.Hour} })})
		defer s.start()()
		r := s.record()
		require.NoError(t, s.Settle(t.Context()))
		require.Equal(t, engine.TranscriptProcessing, s.statusOf(r.ID))
		began := time.Now()
		n, err := s.CancelJobsOf(t.Context(), string(r.TranscriptID))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		_, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, began, time.Now())
		require.Equal(t, engine.TranscriptError, s.statusOf(r.ID))
	})
}

// A try that is to fail does no work, is processing for its time, and ends as its error says: for good, or with another try.
func TestPaceFails(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]*engine.Error{
		"for good":  engine.Errorf(engine.CodeBadMedia, "Script", "The file is cursed."),
		"transient": engine.Errorf(engine.CodeUnavailable, "Script", "Try again.").Transient(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				worked := 0
				s := newStage(t, engine.Config{
					Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
						worked++
						return hears("Hello.")(ctx, req)
					}),
					Pace: paces(func(_ engine.ReadTx, j engine.Job) engine.Timing {
						timing := engine.Timing{Take: 10 * time.Second}
						if j.Attempt == 1 && j.Kind == "transcript.transcribe" {
							timing.Fail = first
						}
						return timing
					}),
				})
				defer s.start()()
				r := s.record()
				time.Sleep(9 * time.Second)
				synctest.Wait()
				require.Equal(t, engine.TranscriptProcessing, s.statusOf(r.ID))
				require.Zero(t, worked)
				_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
				require.NoError(t, err)
				if name == "transient" {
					require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
					require.Equal(t, 1, worked)
					return
				}
				require.Equal(t, engine.TranscriptError, s.statusOf(r.ID))
				require.Equal(t, "The file is cursed.", s.transcript(r.TranscriptID).Error)
			})
		})
	}
}

// An end of the engine gives a lingering job back, and the next start does it again.
func TestRestartOfLingering(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Pace: paces(func(engine.ReadTx, engine.Job) engine.Timing { return engine.Timing{Take: time.Minute} })})
		stop := s.start()
		r := s.record()
		require.NoError(t, s.Settle(t.Context()))
		stop()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		requireCode(t, engine.CodeCanceled, s.Settle(ctx)) // nobody does anything
		defer s.start()()
		began := time.Now()
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
		require.GreaterOrEqual(t, time.Since(began), time.Minute)
	})
}
