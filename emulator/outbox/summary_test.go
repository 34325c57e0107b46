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

// Each change of a message is reported, while anybody watches: that it is held and released, and that an attempt begins and ends.
func TestChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var changes []outbox.Summary
		fails, watched := true, true
		n := &network{answer: func(context.Context, engine.SendRequest) (engine.SendResponse, error) {
			if fails {
				fails = false
				return engine.SendResponse{}, engine.Errorf(engine.CodeUnavailable, "Send", "No route.").Transient()
			}
			return engine.SendResponse{Status: 204}, nil
		}}
		s := newStage(t, outbox.Config{Changed: func(c outbox.Summary) { changes = append(changes, c) }, Watching: func() bool { return watched }}, n)
		w, _ := s.hook()
		_, err := s.Hold(outbox.Filter{})
		require.NoError(t, err)
		id := s.trigger("rec-1")
		synctest.Wait()
		s.Release()
		time.Sleep(2 * time.Hour) // until after the retry
		synctest.Wait()
		var seen []outbox.Status
		for _, c := range changes {
			require.Equal(t, id, c.ID)
			require.Equal(t, w.ID, c.Webhook)
			require.Equal(t, "rec-1", c.Resource)
			seen = append(seen, c.Status)
		}
		require.Equal(t, []outbox.Status{
			outbox.StatusHeld, outbox.StatusWaiting, outbox.StatusSending, outbox.StatusFailed, outbox.StatusSending, outbox.StatusDelivered,
		}, seen)
		require.Equal(t, "No route.", changes[3].Error)
		require.Nil(t, changes[3].ResponseStatus)
		last := changes[5]
		require.Equal(t, 204, *last.ResponseStatus)
		require.Equal(t, 2, last.Attempts)
		require.Empty(t, last.Error)
		now, ok := s.Summary(id)
		require.True(t, ok)
		require.Equal(t, last, now)
		_, ok = s.Summary("none")
		require.False(t, ok)
		require.Equal(t, 1, s.Len())
		require.Equal(t, map[outbox.Status]int{outbox.StatusDelivered: 1}, s.CountByStatus())
		watched = false
		s.trigger("rec-2")
		synctest.Wait()
		require.Equal(t, map[outbox.Status]int{outbox.StatusDelivered: 2}, s.CountByStatus())
		require.Len(t, changes, 6)
	})
}
