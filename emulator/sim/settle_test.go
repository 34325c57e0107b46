package sim_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/clock"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
)

// Advancing a frozen clock until a resource has a status stops at the first moment of that status.
func TestAdvanceUntil(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Manual, sim.Typical{}, nil)
		defer s.start()()
		r := s.record()
		for _, step := range []struct {
			status string
			at     time.Duration
		}{{"queued", 0}, {"processing", time.Second}, {"completed", 16 * time.Second}} {
			done, err := s.sim.Advance(t.Context(), sim.Target{Until: &sim.Until{Resource: string(r.ID), Status: step.status}})
			require.NoError(t, err)
			require.True(t, done.Settled)
			require.Equal(t, step.at, done.Now.Sub(clock.DefaultStart()), step.status)
			status, err := s.sim.ResourceStatus(t.Context(), string(r.TranscriptID))
			require.NoError(t, err)
			require.Equal(t, []any{"recording", string(r.ID), step.status, step.status == "completed"},
				[]any{status.Noun, status.ID, status.Status, status.Terminal})
		}
		for until, code := range map[sim.Until]engine.Code{
			{Resource: string(r.ID), Status: "error"}:    engine.CodeConflict,
			{Resource: string(r.ID), Status: "rendered"}: engine.CodeInvalid,
			{Resource: "nobody", Status: "completed"}:    engine.CodeNotFound,
		} {
			_, err := s.sim.Advance(t.Context(), sim.Target{Until: &until})
			require.Equal(t, code, engine.CodeOf(err), until)
		}
	})
}

// A poll in mode auto is answered after the work is done: the clock is advanced first.
func TestPolled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStage(t, clock.Auto, sim.Typical{}, nil)
		defer s.start()()
		r := s.record()
		s.sim.Polled(t.Context(), sim.Poll{
			Key: "recording",
			State: func(context.Context) (string, []string, error) {
				status := s.statusOf(r.ID)
				if status == engine.TranscriptCompleted {
					return string(status), nil, nil
				}
				return string(status), []string{string(r.TranscriptID)}, nil
			},
		})
		require.Equal(t, engine.TranscriptCompleted, s.statusOf(r.ID))
		require.NoError(t, s.sim.WaitIdle(t.Context()))
	})
}

// sender holds every delivery until open is closed, and reports that it does.
type sender struct {
	open chan struct{}
	held func(engine.DeliveryID, bool)
}

func (s *sender) Check(context.Context, string) error { return nil }

func (s *sender) Send(context.Context, engine.SendRequest) (engine.SendResponse, error) {
	return engine.SendResponse{Status: 200}, nil
}

func (s *sender) Acquire(ctx context.Context, d engine.Delivery) (func(), error) {
	s.held(d.ID, true)
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-s.open:
	}
	return func() {}, nil
}

// Settle doesn't wait for a held delivery, but waits for it after its release.
func TestHeldDelivery(t *testing.T) {
	bubble(t, func(t *testing.T) {
		snd := &sender{open: make(chan struct{})}
		s := newStage(t, clock.Manual, nil, func(c *engine.Config) { c.Sender = snd })
		snd.held = s.sim.Held
		defer s.start()()
		_, _, err := s.CreateWebhook(t.Context(), s.caller, engine.NewWebhook{URL: "https://hooks.example/", Events: engine.EventTypes()})
		require.NoError(t, err)
		s.record()
		require.NoError(t, s.sim.Settle(t.Context()))
		pending, err := s.sim.Pending(t.Context())
		require.NoError(t, err)
		held := slices.IndexFunc(pending, func(p sim.Pending) bool { return p.Held })
		require.GreaterOrEqual(t, held, 0)
		delivery := pending[held].Job.Ref
		s.sim.Held(engine.DeliveryID(delivery), false) // before its release
		close(snd.open)
		require.NoError(t, s.sim.WaitIdle(t.Context()))
		status, err := s.sim.ResourceStatus(t.Context(), delivery)
		require.NoError(t, err)
		require.Equal(t, []any{"delivery", "delivered", true}, []any{status.Noun, status.Status, status.Terminal})
	})
}

// The simulation knows every kind of job of the engine, except clean-up, expiry, and deletion.
func TestKinds(t *testing.T) {
	t.Parallel()
	var kinds []string
	for _, kind := range engine.JobKinds() {
		k := string(kind)
		if _, verb, _ := strings.Cut(k, "."); !slices.Contains([]string{"clean", "expire", "delete", "forget"}, verb) {
			kinds = append(kinds, k)
		}
	}
	var known []string
	for _, kind := range slices.Concat(sim.WorkKinds, sim.DeliveryKinds) {
		known = append(known, string(kind))
	}
	require.ElementsMatch(t, kinds, known)
	require.NotEmpty(t, kinds)
}
