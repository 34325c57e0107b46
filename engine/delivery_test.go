package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A delivery without a receiver is attempted ten times, at the documented times, with one id, and then fails. The attempt limit
// of other jobs does not apply.
func TestSchedule(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{Random: func() float64 { return 0.5 }, Retry: queue.RetryPolicy{Max: 1}}, replies(500))
		w, secret := s.hook(engine.NewWebhook{})
		s.complete()
		began := time.Now()
		for i, wait := range append(engine.DefaultWebhookRetry(), 100*time.Hour) {
			require.Len(t, s.sent(), i+1)
			require.True(t, verifies(t, secret, s.sent()[i]), "each attempt must be signed at its own time")
			if d := s.delivery(w.ID); i < 9 {
				require.Equal(t, engine.DeliveryRetrying, d.Status)
			} else {
				require.Equal(t, engine.DeliveryFailed, d.Status)
			}
			time.Sleep(wait - time.Microsecond)
			synctest.Wait()
			require.Len(t, s.sent(), i+1, "attempted too early")
			time.Sleep(time.Microsecond)
			synctest.Wait()
		}
		d := s.delivery(w.ID)
		var at []string
		for i, a := range d.Attempts {
			at = append(at, a.At.Sub(began).String())
			require.Equal(t, 500, a.Status)
			require.Empty(t, a.Error)
			require.Equal(t, d.EventID, a.Request["webhook-id"])
			require.Equal(t, fmt.Sprint(a.At.Unix()), a.Request["webhook-timestamp"])
			require.Equal(t, s.sent()[i].Header, a.Request)
		}
		require.Equal(t, []string{
			"0s", "5s", "5m5s", "35m5s", "2h35m5s", "7h35m5s", "17h35m5s", "31h35m5s", "51h35m5s", "75h35m5s",
		}, at)
	})
}

// Waits vary by up to 10 % in both directions, and a custom schedule is used.
func TestScheduleJitter(t *testing.T) {
	t.Parallel()
	for random, want := range map[float64]time.Duration{0: 9 * time.Minute, 0.25: 9*time.Minute + 30*time.Second, 1: 11 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			s := newHookStage(t, engine.Config{
				Random: func() float64 { return random }, WebhookRetry: []time.Duration{10 * time.Minute},
			}, replies(500))
			w, _ := s.hook(engine.NewWebhook{})
			s.complete()
			time.Sleep(time.Hour)
			d := s.delivery(w.ID)
			require.Equal(t, engine.DeliveryFailed, d.Status)
			require.Len(t, d.Attempts, 2)
			require.Equal(t, want, d.Attempts[1].At.Sub(d.Attempts[0].At))
		})
	}
}

// Only 2xx is a success. Every other status, and no response, is a failed attempt that is retried, and the log has the details.
func TestReceivers(t *testing.T) {
	t.Parallel()
	status := func(code int) posts {
		return func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{Status: code, Body: []byte("because")}, nil
		}
	}
	for name, c := range map[string]struct {
		first posts
		want  engine.Attempt
	}{
		"fails":        {status(500), engine.Attempt{Status: 500, Response: "because"}},
		"refuses":      {status(404), engine.Attempt{Status: 404, Response: "because"}},
		"redirects":    {status(302), engine.Attempt{Status: 302, Response: "because"}},
		"not modified": {status(304), engine.Attempt{Status: 304, Response: "because"}},
		"no status":    {status(0), engine.Attempt{Response: "because"}},
		"almost":       {status(199), engine.Attempt{Status: 199, Response: "because"}},
		"hangs": {func(ctx context.Context, _ int, req engine.SendRequest) (engine.SendResponse, error) {
			if req.Timeout != 15*time.Second {
				return engine.SendResponse{Status: 200}, nil
			}
			<-ctx.Done()
			return engine.SendResponse{}, ctx.Err()
		}, engine.Attempt{Duration: 15 * time.Second, Error: "No response came within 15 s."}},
		"resets": {func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{}, engine.Errorf(engine.CodeDownload, "Send", "The receiver closed the connection.")
		}, engine.Attempt{Error: "The receiver closed the connection."}},
		"private address": {func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{}, engine.Errorf(engine.CodeNotPublic, "Send", "url must resolve to a public address")
		}, engine.Attempt{Error: "url must resolve to a public address"}},
		"unknown error": {func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{}, errors.New("secret")
		}, engine.Attempt{Error: "Something went wrong on our side."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newHookStage(t, engine.Config{}, func(ctx context.Context, n int, req engine.SendRequest) (engine.SendResponse, error) {
					if n == 1 {
						return c.first(ctx, n, req)
					}
					return engine.SendResponse{Status: 200, Body: []byte("ok")}, nil
				})
				w, _ := s.hook(engine.NewWebhook{})
				s.complete()
				time.Sleep(time.Minute)
				d := s.delivery(w.ID)
				require.Equal(t, engine.DeliveryDelivered, d.Status)
				require.Len(t, d.Attempts, 2)
				got := d.Attempts[0]
				require.NotEmpty(t, got.Request["webhook-signature"])
				c.want.At, c.want.Request = got.At, got.Request
				require.Equal(t, c.want, got)
				require.Equal(t, 200, d.Attempts[1].Status)
				require.Equal(t, "ok", d.Attempts[1].Response)
				require.Equal(t, s.sent()[0].Body, s.sent()[1].Body)
				require.Equal(t, s.sent()[0].Header["webhook-id"], s.sent()[1].Header["webhook-id"])
			})
		})
	}
}

// A receiver that responds 410 gets nothing more: the delivery fails, the webhook is disabled, and its waiting deliveries fail
// without being sent.
func TestGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(500, 410))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		time.Sleep(time.Second)
		s.complete()
		got, err := s.GetWebhook(t.Context(), s.caller, w.ID)
		require.NoError(t, err)
		require.True(t, got.Disabled)
		s.complete()
		time.Sleep(100 * time.Hour)
		require.Len(t, s.sent(), 2)
		all := s.deliveries(w.ID)
		require.Len(t, all, 2, "a disabled webhook must get no new deliveries")
		for _, d := range all {
			require.Equal(t, engine.DeliveryFailed, d.Status)
		}
		require.Equal(t, 410, all[0].Attempts[0].Status)
		require.Len(t, all[0].Attempts, 1)
		require.Equal(t, "Not sent: the webhook is disabled.", all[1].Attempts[1].Error)
		require.Empty(t, all[1].Attempts[1].Request)
		_, err = s.TestWebhook(t.Context(), s.caller, w.ID)
		requireCode(t, engine.CodeConflict, err)
	})
}

// A 410 from a previous URL of the webhook does not disable it.
func TestGoneFromTheOldAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s *hookStage
		var w engine.Webhook
		s = newHookStage(t, engine.Config{}, func(ctx context.Context, n int, _ engine.SendRequest) (engine.SendResponse, error) {
			url := "https://moved.example/"
			_, err := s.UpdateWebhook(ctx, s.caller, w.ID, engine.WebhookChange{URL: &url})
			return engine.SendResponse{Status: 410}, err
		})
		w, _ = s.hook(engine.NewWebhook{})
		s.complete()
		got, err := s.GetWebhook(t.Context(), s.caller, w.ID)
		require.NoError(t, err)
		require.False(t, got.Disabled)
		require.Equal(t, engine.DeliveryFailed, s.delivery(w.ID).Status)
	})
}

// A Retry-After that is longer than the scheduled wait is honoured, up to a day.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for asked, want := range map[time.Duration]time.Duration{
		-time.Hour: 5 * time.Second, 0: 5 * time.Second, time.Second: 5 * time.Second, time.Hour: time.Hour, 1 << 62: 24 * time.Hour,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newHookStage(t, engine.Config{Random: func() float64 { return 0.5 }},
				func(_ context.Context, n int, _ engine.SendRequest) (engine.SendResponse, error) {
					if n > 1 {
						return engine.SendResponse{Status: 200}, nil
					}
					return engine.SendResponse{Status: 429, RetryAfter: asked}, nil
				})
			w, _ := s.hook(engine.NewWebhook{})
			s.complete()
			time.Sleep(25 * time.Hour)
			d := s.delivery(w.ID)
			require.Len(t, d.Attempts, 2)
			require.Equal(t, want, d.Attempts[1].At.Sub(d.Attempts[0].At))
		})
	}
}

// The logged response is at most 2 KiB of valid UTF-8.
func TestLoggedAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"none":               {"", ""},
		"short":              {"naïve \x00 text", "naïve \x00 text"},
		"long":               {strings.Repeat("x", 10_000), strings.Repeat("x", 2048)},
		"cut inside a rune":  {strings.Repeat("x", 2047) + "é", strings.Repeat("x", 2047)},
		"broken":             {"a\xffb", "a\uFFFDb"},
		"long and not UTF-8": {strings.Repeat("\xffa", 2000), strings.Repeat("\uFFFDa", 512)},
		"exactly 2 KiB":      {strings.Repeat("é", 1024), strings.Repeat("é", 1024)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newHookStage(t, engine.Config{}, func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
					return engine.SendResponse{Status: 200, Body: []byte(c.body)}, nil
				})
				w, _ := s.hook(engine.NewWebhook{})
				s.complete()
				got := s.delivery(w.ID).Attempts[0].Response
				require.Equal(t, c.want, got)
				require.LessOrEqual(t, len(got), 2048)
			})
		})
	}
}

// A replay is one attempt with the same id, signed with the current secret, even for a disabled webhook. It can be repeated.
func TestReplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{WebhookRetry: []time.Duration{}}, replies(500, 500, 200, 200))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		d := s.delivery(w.ID)
		require.Equal(t, engine.DeliveryFailed, d.Status)
		_, secret, err := s.RotateWebhookSecret(t.Context(), s.caller, w.ID)
		require.NoError(t, err)
		off := true
		_, err = s.UpdateWebhook(t.Context(), s.caller, w.ID, engine.WebhookChange{Disabled: &off})
		require.NoError(t, err)
		for i, want := range []engine.DeliveryStatus{engine.DeliveryFailed, engine.DeliveryDelivered, engine.DeliveryDelivered} {
			time.Sleep(time.Hour)
			again, err := s.ReplayDelivery(t.Context(), s.caller, w.ID, d.ID)
			require.NoError(t, err)
			require.Equal(t, engine.DeliveryPending, again.Status)
			synctest.Wait()
			time.Sleep(time.Second)
			require.Len(t, s.sent(), i+2)
			require.Equal(t, want, s.delivery(w.ID).Status)
			require.True(t, verifies(t, secret, s.sent()[i+1]))
			require.Equal(t, s.sent()[0].Header["webhook-id"], s.sent()[i+1].Header["webhook-id"])
			require.Equal(t, s.sent()[0].Body, s.sent()[i+1].Body)
		}
		require.Len(t, s.delivery(w.ID).Attempts, 4)
	})
}

// A delivery can be replayed only through its own webhook. Through another one, even of the same user, it looks missing.
func TestReplayOfAnotherWebhook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		another, _ := s.hook(engine.NewWebhook{})
		_, theirs := s.ReplayDelivery(t.Context(), s.caller, another.ID, s.delivery(w.ID).ID)
		requireCode(t, engine.CodeNotFound, theirs)
		_, missing := s.ReplayDelivery(t.Context(), s.caller, another.ID, "nothing")
		require.Equal(t, engine.Message(missing), engine.Message(theirs))
		synctest.Wait()
		require.Len(t, s.sent(), 1)
	})
}

// A delivery that is replayed again and again keeps only its newest attempts, so that its row stays small.
func TestOldAttemptsAreDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		for range 2 * engine.MaxAttempts {
			time.Sleep(time.Second)
			_, err := s.ReplayDelivery(t.Context(), s.caller, w.ID, s.delivery(w.ID).ID)
			require.NoError(t, err)
			synctest.Wait()
		}
		kept := s.delivery(w.ID).Attempts
		require.Len(t, kept, engine.MaxAttempts)
		require.Equal(t, s.sent()[len(s.sent())-engine.MaxAttempts].Header, kept[0].Request)
		require.Equal(t, s.sent()[len(s.sent())-1].Header, kept[len(kept)-1].Request)
	})
}

// An unfinished delivery can't be replayed.
func TestReplayUnfinished(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(500))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		_, err := s.ReplayDelivery(t.Context(), s.caller, w.ID, s.delivery(w.ID).ID)
		requireCode(t, engine.CodeConflict, err)
		require.Equal(t, "The delivery is still retrying.", engine.Message(err))
	})
}

// Nothing is sent for a webhook that was deleted while a delivery waited. A deletion during an attempt is not undone.
func TestDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, when := range map[string]int{"while it waits": 0, "during the first try": 1, "during the second try": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var s *hookStage
				var w engine.Webhook
				s = newHookStage(t, engine.Config{}, func(ctx context.Context, n int, _ engine.SendRequest) (engine.SendResponse, error) {
					if n == when {
						if err := s.DeleteWebhook(ctx, s.caller, w.ID); err != nil {
							return engine.SendResponse{}, err
						}
					}
					return engine.SendResponse{Status: []int{500, 410}[n-1]}, nil
				})
				w, _ = s.hook(engine.NewWebhook{})
				s.complete()
				if when == 0 {
					require.NoError(t, s.DeleteWebhook(t.Context(), s.caller, w.ID))
				}
				time.Sleep(100 * time.Hour)
				require.Len(t, s.sent(), max(1, when))
				_, err := s.GetWebhook(t.Context(), s.caller, w.ID)
				requireCode(t, engine.CodeNotFound, err)
				requireIdle(t, s.store)
			})
		})
	}
}

// requireIdle fails if a job is due now or later.
func requireIdle(t *testing.T, store engine.Store) {
	t.Helper()
	require.NoError(t, store.View(t.Context(), func(tx engine.ReadTx) error {
		at, ok, err := tx.NextJobAt([]queue.Class{queue.ClassTranscribe, queue.ClassImport, queue.ClassDeliver}, nil)
		require.False(t, ok, "at %s", at)
		return err
	}))
}

// If an operator cancels its job, a delivery fails and says so.
func TestCancelDelivery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, replies(500))
		w, _ := s.hook(engine.NewWebhook{})
		s.complete()
		n, err := s.CancelJobsOf(t.Context(), string(s.delivery(w.ID).ID))
		require.NoError(t, err)
		require.Equal(t, 1, n)
		d := s.delivery(w.ID)
		require.Equal(t, engine.DeliveryFailed, d.Status)
		require.Equal(t, "The operation was canceled.", d.Attempts[1].Error)
	})
}

// refusing is a store whose first transactions that write a delivery fail at their end.
type refusing struct {
	engine.Store
	mu    sync.Mutex
	times int
}

func (r *refusing) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return r.Store.Update(ctx, func(tx engine.Tx) error {
		wrote := false
		if err := fn(tellsDelivery{tx, &wrote}); err != nil {
			return err
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if wrote && r.times > 0 {
			r.times--
			return engine.Errorf(engine.CodeNoSpace, "", "The disk is full.").Transient()
		}
		return nil
	})
}

type tellsDelivery struct {
	engine.Tx
	wrote *bool
}

func (n tellsDelivery) PutDelivery(d engine.Delivery) error {
	*n.wrote = true
	return n.Tx.PutDelivery(d)
}

// A change and its delivery are committed together. A rolled-back change sends nothing; a committed one sends once.
func TestOutboxIsAtomic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &refusing{Store: memory.NewStore(), times: 3}
		s := newHookStage(t, engine.Config{Store: store, Random: func() float64 { return 0.5 }}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		r := s.record()
		synctest.Wait()
		require.Equal(t, engine.TranscriptProcessing, s.transcript(r.TranscriptID).Status)
		require.Empty(t, s.deliveries(w.ID))
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		synctest.Wait()
		require.Zero(t, store.times)
		require.Equal(t, engine.TranscriptCompleted, s.transcript(r.TranscriptID).Status)
		require.Equal(t, engine.DeliveryDelivered, s.delivery(w.ID).Status)
		require.Len(t, s.sent(), 1)

		broken := errors.New("rolled back")
		require.ErrorIs(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
			if err := engine.EmitOutput(s.Engine, tx, engine.Output{SpaceID: "space"}); err != nil {
				return err
			}
			return broken
		}), broken)
		require.Len(t, s.deliveries(w.ID), 1)
		requireIdle(t, s.store)
	})
}

// If a process dies between sending and writing, another process sends again with the same id. What the first one writes later is
// dropped.
func TestAtLeastOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.NewStore()
		cut := &cuttable{Store: store}
		a := newHookStage(t, engine.Config{Store: cut}, func(context.Context, int, engine.SendRequest) (engine.SendResponse, error) {
			cut.cut.Store(true)
			return engine.SendResponse{Status: 200}, nil
		})
		w, _ := a.hook(engine.NewWebhook{})
		a.record()
		synctest.Wait()
		b := newHookStage(t, engine.Config{Store: store}, replies(201))
		time.Sleep(time.Minute)
		cut.cut.Store(false)
		time.Sleep(time.Hour)
		require.Len(t, a.sent(), 1)
		require.Len(t, b.sent(), 1)
		require.Equal(t, a.sent()[0].Header["webhook-id"], b.sent()[0].Header["webhook-id"])
		require.Equal(t, a.sent()[0].Body, b.sent()[0].Body)
		d := b.delivery(w.ID)
		require.Equal(t, engine.DeliveryDelivered, d.Status)
		require.Len(t, d.Attempts, 1)
		require.Equal(t, 201, d.Attempts[0].Status)
	})
}

// If Run ends during an attempt, the attempt doesn't count as failed, and the next Run sends the delivery.
func TestShutdownDuringDelivery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{post: func(ctx context.Context, n int, _ engine.SendRequest) (engine.SendResponse, error) {
			if n == 1 {
				<-ctx.Done()
				return engine.SendResponse{}, ctx.Err()
			}
			return engine.SendResponse{Status: 200}, nil
		}}
		s := &hookStage{stage: newStage(t, engine.Config{Sender: r}), recorder: r}
		w, _ := s.hook(engine.NewWebhook{})
		stop := s.start()
		s.complete()
		stop()
		require.Equal(t, engine.DeliveryPending, s.delivery(w.ID).Status)
		stop = s.start()
		synctest.Wait()
		d := s.delivery(w.ID)
		require.Equal(t, engine.DeliveryDelivered, d.Status)
		require.Len(t, d.Attempts, 1)
		stop()
	})
}

// A hanging receiver does not delay another one.
func TestHangingReceiverDelaysOnlyItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{}, func(ctx context.Context, _ int, req engine.SendRequest) (engine.SendResponse, error) {
			if strings.Contains(req.URL, "hangs") {
				<-ctx.Done()
				return engine.SendResponse{}, ctx.Err()
			}
			return engine.SendResponse{Status: 200}, nil
		})
		s.hook(engine.NewWebhook{URL: "https://hangs.example/"})
		for range 50 {
			s.complete()
		}
		fine, _ := s.hook(engine.NewWebhook{URL: "https://fine.example/"})
		began := time.Now()
		s.test(fine.ID)
		for s.delivery(fine.ID).Status != engine.DeliveryDelivered {
			time.Sleep(time.Second)
		}
		require.LessOrEqual(t, time.Since(began), 16*time.Second, "a free worker must take it next")
	})
}

// None of a thousand deliveries to a receiver that randomly fails, hangs, and resets is lost, and each arrives with its own id.
func TestNoDeliveryIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		rng := rand.New(rand.NewPCG(1, 2))
		tries, taken := map[string]int{}, map[string]string{}
		s := newHookStage(t, engine.Config{}, func(ctx context.Context, _ int, req engine.SendRequest) (engine.SendResponse, error) {
			id := req.Header["webhook-id"]
			mu.Lock()
			fate := rng.IntN(10)
			if tries[id]++; tries[id] == 10 {
				fate = 9
			}
			if fate >= 5 {
				taken[id] = string(req.Body)
			}
			mu.Unlock()
			switch {
			case fate < 3:
				return engine.SendResponse{Status: 500}, nil
			case fate == 3:
				<-ctx.Done()
				return engine.SendResponse{}, ctx.Err()
			case fate == 4:
				return engine.SendResponse{}, errors.New("reset")
			}
			return engine.SendResponse{Status: 200}, nil
		})
		s.hook(engine.NewWebhook{Events: engine.EventTypes()})
		const events = 1000
		require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
			for i := range events {
				if err := engine.EmitOutput(s.Engine, tx, engine.Output{ID: engine.OutputID(fmt.Sprint(i)), SpaceID: "space"}); err != nil {
					return err
				}
			}
			return nil
		}))
		time.Sleep(100 * time.Hour)
		requireIdle(t, s.store)
		require.Len(t, taken, events)
		bodies := map[string]bool{}
		for _, body := range taken {
			bodies[body] = true
		}
		require.Len(t, bodies, events)
	})
}
