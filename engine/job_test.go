package engine_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// cuttable is a store from which an engine can be disconnected, as by a broken network or a stopped process.
type cuttable struct {
	engine.Store
	cut atomic.Bool
}

var errCut = errors.New("cut off")

func (s *cuttable) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if s.cut.Load() {
		return errCut
	}
	return s.Store.View(ctx, fn)
}

func (s *cuttable) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if s.cut.Load() {
		return errCut
	}
	return s.Store.Update(ctx, fn)
}

// twoEngines returns two engines on one store and one set of blobs, like two processes. Their words tell them apart.
func twoEngines(t *testing.T, a, b engine.Transcriber) (*stage, *cuttable, *stage) {
	t.Helper()
	store, blobs := memory.NewStore(), memory.NewBlobs()
	cut := &cuttable{Store: store}
	return newStage(t, engine.Config{Store: cut, Blobs: blobs, Transcriber: a}), cut,
		newStage(t, engine.Config{Store: store, Blobs: blobs, Transcriber: b})
}

// delayed is a Transcriber with a delay. A stubborn one ignores cancellation.
func delayed(d time.Duration, stubborn bool, then engine.Transcriber) hear {
	return func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		wait := ctx
		if stubborn {
			wait = context.Background()
		}
		select {
		case <-wait.Done():
			return engine.Transcription{}, context.Cause(ctx)
		case <-time.After(d):
		}
		return then.Transcribe(ctx, req)
	}
}

// When a process dies, another takes over its job after the lease has expired, and the job is done once.
func TestWorkerDeath(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, cut, b := twoEngines(t, delayed(time.Hour, false, hears("A.")), hears("B."))
		stopA := a.start()
		r := a.record()
		synctest.Wait()
		require.Equal(t, engine.TranscriptProcessing, a.transcript(r.TranscriptID).Status)
		cut.cut.Store(true)
		began := time.Now()
		stopB := b.start()
		done, err := b.WaitRecording(t.Context(), b.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, done.TranscriptStatus)
		require.Less(t, time.Since(began), 45*time.Second, "a lease lasts 30 s")
		require.Equal(t, "B.", b.transcript(r.TranscriptID).Utterances[0].Text)
		stopA()
		stopB()
	})
}

// A worker that has lost its lease stops. What a stubborn one writes afterwards is dropped.
func TestZombieWrite(t *testing.T) {
	t.Parallel()
	for name, stubborn := range map[string]bool{"it stops": false, "it goes on": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a, cut, b := twoEngines(t, delayed(5*time.Minute, stubborn, hears("A.")), delayed(10*time.Minute, false, hears("B.")))
				stopA := a.start()
				r := a.record()
				synctest.Wait()
				cut.cut.Store(true)
				stopB := b.start()
				time.Sleep(2 * time.Minute)
				cut.cut.Store(false) // the network works again; B runs the job, and A doesn't know that it lost it
				_, err := b.WaitRecording(t.Context(), b.caller, r.ID)
				require.NoError(t, err)
				require.Equal(t, "B.", b.transcript(r.TranscriptID).Utterances[0].Text)
				require.Equal(t, engine.TranscriptCompleted, b.transcript(r.TranscriptID).Status)
				stopA()
				stopB()
			})
		})
	}
}

// A lease that is renewed is not taken over, however long the job takes.
func TestHeartbeatKeepsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _, b := twoEngines(t, delayed(3*time.Hour, false, hears("A.")), hears("B."))
		stopA := a.start()
		r := a.record()
		synctest.Wait()
		stopB := b.start()
		_, err := b.WaitRecording(t.Context(), b.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "A.", b.transcript(r.TranscriptID).Utterances[0].Text)
		stopA()
		stopB()
	})
}

// A canceled job ends immediately, running or waiting, even if another process runs it. Its transcript says that it was canceled.
func TestCancel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		running, elsewhere bool
		within             time.Duration
	}{
		"waiting":                    {false, false, 0},
		"running":                    {true, false, 0},
		"running in another process": {true, true, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a, _, b := twoEngines(t, delayed(time.Hour, false, hears("A.")), hears("B."))
				stop := func() {}
				if c.running {
					stop = a.start()
				}
				r := a.record()
				synctest.Wait()
				canceler := a
				if c.elsewhere {
					canceler = b
				}
				n, err := canceler.CancelJobsOf(t.Context(), string(r.TranscriptID))
				require.NoError(t, err)
				require.Equal(t, 1, n)
				began := time.Now()
				done, err := a.WaitRecording(t.Context(), a.caller, r.ID)
				requireCode(t, engine.CodeCanceled, err)
				require.LessOrEqual(t, time.Since(began), c.within)
				require.Equal(t, engine.TranscriptError, done.TranscriptStatus)
				require.Equal(t, "The operation was canceled.", a.transcript(r.TranscriptID).Error)
				n, err = a.CancelJobsOf(t.Context(), string(r.TranscriptID))
				require.NoError(t, err)
				require.Zero(t, n, "nothing must be left to cancel")
				stop()
			})
		})
	}
}

// A retryable failure is retried with growing random pauses until the attempts are used up. Then the transcript has the last
// error's message.
func TestRetryExhaustion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var tries []time.Time
		s := newStage(t, engine.Config{
			Random: func() float64 { return 0.5 },
			Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				tries = append(tries, time.Now())
				return engine.Transcription{}, engine.Errorf(engine.CodeUnavailable, "", "The backend is busy.").Transient()
			}),
		})
		stop := s.start()
		r := s.record()
		done, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeUnavailable, err)
		require.Equal(t, engine.TranscriptError, done.TranscriptStatus)
		require.Equal(t, "The backend is busy.", s.transcript(r.TranscriptID).Error)
		var pauses []time.Duration
		for i := 1; i < len(tries); i++ {
			pauses = append(pauses, tries[i].Sub(tries[i-1]))
		}
		require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}, pauses,
			"half of 2, 4, 8, … seconds")
		stop()
	})
}

// A permanent failure is not retried, and neither is a panic. The message of a panic reveals nothing.
func TestPermanentFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		hear hear
		want string
	}{
		"error": {func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, engine.Errorf(engine.CodeBadMedia, "", "The media is broken.")
		}, "The media is broken."},
		"panic": {func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			panic("secret")
		}, "Something went wrong on our side."},
		"unknown error": {func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
			return engine.Transcription{}, errors.New("secret")
		}, "Something went wrong on our side."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
					tries++
					return c.hear(ctx, req)
				})})
				stop := s.start()
				r := s.record()
				_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
				require.Equal(t, c.want, engine.Message(err))
				require.Equal(t, c.want, s.transcript(r.TranscriptID).Error)
				require.Equal(t, 1, tries)
				stop()
			})
		})
	}
}

// When Run ends, running jobs return to the queue without a counted attempt, and the next Run continues them.
func TestShutdownReturnsJobs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			tries++
			if tries <= 20 { // more often than a job may fail
				return delayed(time.Hour, false, hears("no")).Transcribe(ctx, req)
			}
			return hears("Done.").Transcribe(ctx, req)
		})})
		r := s.record()
		began := time.Now()
		for range 20 {
			stop := s.start()
			synctest.Wait()
			stop()
			require.Equal(t, engine.TranscriptProcessing, s.transcript(r.TranscriptID).Status)
		}
		stop := s.start()
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "Done.", s.transcript(r.TranscriptID).Utterances[0].Text)
		require.Zero(t, time.Since(began))
		stop()
	})
}

// exclusive is a store that only one process can open.
type exclusive struct{ engine.Store }

func (exclusive) Exclusive() bool { return true }

// On an exclusive store, the leases of a killed process are released immediately.
func TestRestartAfterKill(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		cut := &cuttable{Store: store}
		a := newStage(t, engine.Config{Store: cut, Blobs: blobs, Transcriber: delayed(time.Hour, false, hears("A."))})
		stopA := a.start()
		r := a.record()
		synctest.Wait()
		cut.cut.Store(true) // killed: it never writes again

		b := newStage(t, engine.Config{Store: exclusive{store}, Blobs: blobs, Transcriber: hears("B.")})
		began := time.Now()
		stopB := b.start()
		_, err := b.WaitRecording(t.Context(), b.caller, r.ID)
		require.NoError(t, err)
		require.Zero(t, time.Since(began))
		stopA()
		stopB()
	})
}

// Run with a canceled context returns no error, on any store.
func TestRunWithCanceledContext(t *testing.T) {
	t.Parallel()
	for _, store := range []engine.Store{memory.NewStore(), exclusive{memory.NewStore()}} {
		s := newStage(t, engine.Config{Store: store})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, s.Run(ctx))
	}
}

// A full disk delays a transcript but doesn't fail it.
func TestNoSpaceIsRetried(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := newStage(t, engine.Config{Transcriber: hear(func(ctx context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
			if tries++; tries < 3 {
				return engine.Transcription{}, engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").Transient()
			}
			return hears("Done.").Transcribe(ctx, req)
		})})
		stop := s.start()
		r := s.record()
		done, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, done.TranscriptStatus)
		stop()
	})
}

// One tenant's backlog doesn't delay another tenant: the tenants of a class take turns.
func TestTenantsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Transcriber: delayed(time.Minute, false, hears("Done."))})
		for range 100 {
			s.record()
		}
		other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
		require.NoError(t, err)
		first := s.caller
		s.caller = other
		r := s.record()
		s.caller = first
		stop := s.start()
		began := time.Now()
		_, err = s.WaitRecording(t.Context(), other, r.ID)
		require.NoError(t, err)
		require.LessOrEqual(t, time.Since(began), 2*time.Minute)
		stop()
	})
}
