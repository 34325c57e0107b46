package outbox_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// A message held for longer than any timeout or lease has no attempt until its release. Its attempt is signed with the time of
// release.
func TestHeldForDays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		w, _ := s.hook()
		_, err := s.Hold(outbox.Filter{Resource: "rec-1"})
		require.NoError(t, err)
		id := s.trigger("rec-1")
		time.Sleep(72 * time.Hour)
		require.Equal(t, outbox.StatusHeld, s.status(id))
		require.Equal(t, 1, s.Waiting())
		log, err := s.engine.ListDeliveries(t.Context(), s.owner, w.ID, 0)
		require.NoError(t, err)
		require.Equal(t, engine.DeliveryPending, log[0].Status)
		require.Empty(t, log[0].Attempts)
		require.Equal(t, 1, s.Release())
		synctest.Wait()
		require.Equal(t, outbox.StatusDelivered, s.status(id))
		require.Zero(t, s.Waiting())
		log, err = s.engine.ListDeliveries(t.Context(), s.owner, w.ID, 0)
		require.NoError(t, err)
		require.Len(t, log[0].Attempts, 1)
		require.Equal(t, time.Now().Unix(), log[0].Attempts[0].At.Unix())
		require.Zero(t, s.Release(), "nothing is held afterwards")
		require.Equal(t, outbox.HoldState{Held: []outbox.Message{}, Collected: []outbox.Message{}}, s.Holding())
		require.Equal(t, outbox.StatusDelivered, s.status(s.trigger("rec-1")))
	})
}

// Held messages of a deleted webhook and canceled ones are never sent, and don't block their sequence.
func TestDeletedWhileHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		w, _ := s.hook()
		require.NoError(t, s.Reorder(4))
		s.trigger("rec-1")
		s.trigger("rec-2")
		canceled := s.trigger("rec-3")
		_, err := s.engine.CancelJobsOf(t.Context(), canceled)
		require.NoError(t, err)
		time.Sleep(time.Minute) // longer than the heartbeat of its lease
		require.Equal(t, 2, s.Waiting())
		require.NoError(t, s.engine.DeleteWebhook(t.Context(), s.owner, w.ID))
		s.hook()
		s.trigger("rec-4")
		require.Empty(t, s.net.resources())
		s.trigger("rec-5")
		require.Equal(t, []string{"rec-5", "rec-4"}, s.net.resources())
		require.Zero(t, s.Waiting())
	})
}

// In a sequence, each message waits until the previous attempt has ended, even by a timeout.
func TestSequenceWaitsForPreviousAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{answer: func(ctx context.Context, req engine.SendRequest) (engine.SendResponse, error) {
			if strings.Contains(string(req.Body), "hangs") {
				<-ctx.Done()
				return engine.SendResponse{}, ctx.Err()
			}
			return engine.SendResponse{Status: 200}, nil
		}}
		s := newStage(t, outbox.Config{}, n)
		s.hook()
		require.NoError(t, s.Reorder(2))
		s.trigger("rec-1")
		hangs := s.trigger("hangs")
		time.Sleep(14 * time.Second)
		require.Equal(t, []string{"hangs"}, n.resources())
		require.Equal(t, outbox.StatusSending, s.status(hangs))
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"hangs", "rec-1"}, n.resources())
		require.Equal(t, outbox.StatusFailed, s.status(hangs))
	})
}

// Drain immediately sends held, collected, and delayed messages. Nothing is held afterwards.
func TestDrain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		s.hook()
		_, err := s.SetPolicy(outbox.Policy{DelayMS: outbox.MaxDelayMS})
		require.NoError(t, err)
		s.trigger("delayed")
		_, err = s.Hold(outbox.Filter{Resource: "held"})
		require.NoError(t, err)
		s.trigger("held")
		require.NoError(t, s.Reorder(2))
		s.trigger("collected")
		require.Equal(t, 3, s.Waiting())
		began := time.Now()
		s.Drain(t.Context())
		require.Zero(t, time.Since(began))
		require.ElementsMatch(t, []string{"delayed", "held", "collected"}, s.net.resources())
		require.Equal(t, outbox.HoldState{Held: []outbox.Message{}, Collected: []outbox.Message{}}, s.Holding())
		require.Zero(t, s.Release())
		_, err = s.Hold(outbox.Filter{})
		requireCode(t, engine.CodeConflict, err)
		requireCode(t, engine.CodeConflict, s.Reorder(2))
		s.trigger("later")
		require.Len(t, s.net.resources(), 4)
	})
}

// The policy's delay comes before the attempt and is not part of its duration.
func TestDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		s.hook()
		_, err := s.SetPolicy(outbox.Policy{DelayMS: 60_000})
		require.NoError(t, err)
		began := time.Now()
		id := s.trigger("rec-1")
		require.Equal(t, outbox.StatusHeld, s.status(id))
		found, err := s.Wait(t.Context(), outbox.Filter{}, 1, time.Hour)
		require.NoError(t, err)
		require.Equal(t, time.Minute, time.Since(began))
		require.Zero(t, found[0].Attempts[0].DurationMS)
	})
}

// Reorder doesn't collect retries of earlier messages.
func TestReorderIgnoresRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		n := &network{answer: func(context.Context, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{Status: 500}, nil
		}}
		s := newStage(t, outbox.Config{}, n)
		s.hook()
		s.trigger("rec-1")
		require.NoError(t, s.Reorder(2))
		time.Sleep(2 * time.Hour)
		require.Equal(t, []string{"rec-1", "rec-1"}, n.resources())
		require.Zero(t, s.Waiting())
	})
}

// Config.Held is called when a delivery is held, and again before its attempt, however it is released. It isn't called for other
// deliveries.
func TestHeldIsCalled(t *testing.T) {
	t.Parallel()
	hold := func(s *stage) {
		_, err := s.Hold(outbox.Filter{Resource: "rec-1"})
		require.NoError(t, err)
	}
	reorder := func(s *stage) { require.NoError(t, s.Reorder(2)) }
	for name, c := range map[string]struct {
		hold    func(*stage)
		release func(*stage, string)
	}{
		"Release":        {hold, func(s *stage, _ string) { s.Release() }},
		"ReleaseInOrder": {hold, func(s *stage, id string) { require.NoError(t, s.ReleaseInOrder([]string{id})) }},
		"Drain":          {hold, func(s *stage, _ string) { s.Drain(s.t.Context()) }},
		"Close":          {hold, func(s *stage, _ string) { s.Close() }},
		"a full batch":   {reorder, func(s *stage, _ string) { s.trigger("rec-2") }},
		"Drain a batch":  {reorder, func(s *stage, _ string) { s.Drain(s.t.Context()) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				steps := map[engine.DeliveryID][]string{}
				note := func(id engine.DeliveryID, what string) {
					mu.Lock()
					defer mu.Unlock()
					steps[id] = append(steps[id], what)
				}
				n := &network{answer: func(_ context.Context, req engine.SendRequest) (engine.SendResponse, error) {
					note(req.Delivery, "sent")
					return engine.SendResponse{Status: 200}, nil
				}}
				s := newStage(t, outbox.Config{Held: func(id engine.DeliveryID, held bool) { note(id, fmt.Sprint("held: ", held)) }}, n)
				s.hook()
				free := engine.DeliveryID(s.trigger("rec-0"))
				c.hold(s)
				id := s.trigger("rec-1")
				require.Equal(t, []string{"held: true"}, steps[engine.DeliveryID(id)])
				c.release(s, id)
				synctest.Wait()
				require.Equal(t, []string{"held: true", "held: false", "sent"}, steps[engine.DeliveryID(id)])
				require.Equal(t, []string{"sent"}, steps[free])
			})
		})
	}
}
