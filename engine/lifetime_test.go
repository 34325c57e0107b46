package engine_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// Close ends Run and waits for it, so that a job that was running is queued again and the store can be closed. What waits is told.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopping := 3 * time.Second
		s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, _ engine.TranscribeRequest) (engine.Transcription, error) {
			<-ctx.Done()
			time.Sleep(stopping)
			return engine.Transcription{}, context.Cause(ctx)
		})})
		ran := make(chan error, 1)
		go func() { ran <- s.Run(context.Background()) }()
		r := s.record()
		waited := make(chan error, 1)
		go func() {
			_, err := s.WaitRecording(context.Background(), s.caller, r.ID)
			waited <- err
		}()
		synctest.Wait()
		began := time.Now()
		both := make(chan struct{})
		go func() {
			require.NoError(t, s.Close())
			close(both)
		}()
		require.NoError(t, s.Close())
		<-both
		require.Equal(t, stopping, time.Since(began), "it waits for Run")
		require.NoError(t, <-ran)
		require.Equal(t, engine.TranscriptProcessing, s.transcript(r.TranscriptID).Status)
		requireCode(t, engine.CodeUnavailable, <-waited)

		requireCode(t, engine.CodeUnavailable, s.Run(context.Background()))
		_, err := s.WaitRecording(context.Background(), s.caller, r.ID)
		requireCode(t, engine.CodeUnavailable, err)
		require.NoError(t, s.Close())
		require.Equal(t, stopping, time.Since(began))
	})
}

// An engine that never ran can be closed.
func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	require.NoError(t, s.Close())
	requireCode(t, engine.CodeUnavailable, s.Run(t.Context()))
}

// If Run was not called, a wait that ends says so in its error, and the log says so once.
func TestForgottenRun(t *testing.T) {
	t.Parallel()
	for _, run := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			s := newStage(t, engine.Config{
				Transcriber: delayed(time.Hour, false, hears("late")), Log: slog.New(slog.NewTextHandler(&log, nil)),
			})
			if run {
				defer s.start()()
				synctest.Wait()
			}
			r := s.record()
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				_, err := s.WaitRecording(ctx, s.caller, r.ID)
				cancel()
				requireCode(t, engine.CodeCanceled, err)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				var e *engine.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, run, e.Hint == "", e.Hint)
				require.Equal(t, !run, strings.Contains(err.Error(), "Run has not been called"), err)
			}
			synctest.Wait() // until the log is written
			want := 1
			if run {
				want = 0
			}
			require.Equal(t, want, strings.Count(log.String(), "Run has not been called"), log.String())
		})
	}
}
