package outbox_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// SetPolicy accepts the limits of each field and nothing beyond them. A rejected policy changes nothing.
func TestPolicyLimits(t *testing.T) {
	t.Parallel()
	o := outbox.New(outbox.Config{Sender: &network{}})
	for _, p := range []outbox.Policy{
		{Drop: 1_000_000}, {DelayMS: outbox.MaxDelayMS}, {Timestamp: outbox.TimestampWall},
		{Fail: &outbox.Fail{Status: 100, Count: 1_000_000}}, {Fail: &outbox.Fail{Status: 599, Count: 2}},
	} {
		got, err := o.SetPolicy(p)
		require.NoError(t, err)
		p.Timestamp = outbox.TimestampWall
		require.Equal(t, p, got)
	}
	got, err := o.SetPolicy(outbox.Policy{Fail: &outbox.Fail{Status: 500}})
	require.NoError(t, err)
	require.Equal(t, &outbox.Fail{Status: 500, Count: 1}, got.Fail)
	for _, p := range []outbox.Policy{
		{Timestamp: "sundial"}, {Drop: -1}, {Drop: 1_000_001}, {DelayMS: -1}, {DelayMS: outbox.MaxDelayMS + 1},
		{Fail: &outbox.Fail{Status: 99}}, {Fail: &outbox.Fail{Status: 600}},
		{Fail: &outbox.Fail{Status: 500, Count: -1}}, {Fail: &outbox.Fail{Status: 500, Count: 1_000_001}},
	} {
		_, err := o.SetPolicy(p)
		requireCode(t, engine.CodeInvalid, err)
	}
	_, err = o.SetPolicy(outbox.Policy{Timestamp: outbox.TimestampVirtual})
	requireCode(t, engine.CodeUnsupported, err)
	require.Equal(t, got, o.Policy())
	o.Policy().Fail.Status = 200
	require.Equal(t, got, o.Policy(), "Policy returned a reference")
}

// Dropped attempts come first, then replaced responses, then the receiver's. Neither of the two reaches the receiver, and copies are
// exempt.
func TestPolicyInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{}, &network{})
		s.hook()
		_, err := s.SetPolicy(outbox.Policy{Drop: 1, Fail: &outbox.Fail{Status: 503, Count: 2}})
		require.NoError(t, err)
		first := s.trigger("rec-1")
		require.Empty(t, s.net.resources())
		_, err = s.Resend(t.Context(), first, false)
		require.NoError(t, err)
		require.Equal(t, []string{"rec-1"}, s.net.resources())
		require.Equal(t, outbox.Policy{Timestamp: "wall", Fail: &outbox.Fail{Status: 503, Count: 2}}, s.Policy())
		second, third := s.trigger("rec-2"), s.trigger("rec-3")
		require.Equal(t, outbox.Policy{Timestamp: "wall"}, s.Policy())
		fourth := s.trigger("rec-4")
		require.Equal(t, []string{"rec-1", "rec-4"}, s.net.resources())
		attempt := func(id string) outbox.Attempt {
			m, err := s.Get(id)
			require.NoError(t, err)
			return m.Attempts[0]
		}
		require.Nil(t, attempt(first).Response)
		require.Equal(t, "No response: the policy dropped the message.", attempt(first).Error)
		require.Equal(t, 503, attempt(second).Response.Status)
		require.Equal(t, 503, attempt(third).Response.Status)
		require.Equal(t, 200, attempt(fourth).Response.Status)
	})
}

// A fault sends a copy after the first attempt of a delivery, and never after a retry.
func TestDuplicateByFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		n := &network{answer: func(context.Context, engine.SendRequest) (engine.SendResponse, error) {
			return engine.SendResponse{Status: 500}, nil
		}}
		s := newStage(t, outbox.Config{Duplicate: func(event string) bool { asked = append(asked, event); return true }}, n)
		s.hook()
		id := s.trigger("rec-1")
		time.Sleep(2 * time.Hour) // one retry
		m, err := s.Get(id)
		require.NoError(t, err)
		var kinds []outbox.Kind
		for i, a := range m.Attempts {
			require.Equal(t, i+1, a.Number)
			kinds = append(kinds, a.Kind)
		}
		require.Equal(t, []outbox.Kind{outbox.KindDelivery, outbox.KindDuplicate, outbox.KindDelivery}, kinds)
		require.Equal(t, []string{"transcript.completed"}, asked)
	})
}

// Follow returns the error of its function, and only passes on what matches the filter, without the attempts before.
func TestFollow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, outbox.Config{Messages: 2}, &network{})
		s.hook()
		var got []outbox.Event
		stop := engine.Errorf(engine.CodeConflict, "", "Enough.")
		ended := make(chan error, 1)
		go func() {
			ended <- s.Follow(t.Context(), outbox.Filter{Resource: "rec-1"}, nil, func(e outbox.Event) error {
				if got = append(got, e); len(got) == 4 {
					return stop
				}
				return nil
			})
		}()
		synctest.Wait()
		for _, recording := range []string{"rec-0", "rec-1", "rec-1", "rec-2", "rec-1", "rec-1"} {
			s.trigger(recording)
		}
		require.ErrorIs(t, <-ended, stop)
		for _, e := range got {
			require.Equal(t, "rec-1", e.Message.Resource)
			require.Equal(t, outbox.StatusDelivered, e.Message.Status)
			require.Equal(t, []outbox.Attempt{}, e.Message.Attempts)
			require.Equal(t, 1, e.Attempt.Number)
			require.Zero(t, e.Missed)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, s.Follow(ctx, outbox.Filter{}, nil, nil))
	})
}
