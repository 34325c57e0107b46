package engine_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// Transcripts of recordings and URLs count for their account and month; failed ones don't.
func TestUsage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{StorageSoftLimit: 10, StorageHardLimit: 100})
		stop := s.start()
		s.completed()
		s.completed()
		tr, err := s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://example.org/a.mp3"})
		require.NoError(t, err)
		_, err = s.WaitTranscript(t.Context(), s.caller, tr.ID)
		require.NoError(t, err)
		u, err := s.GetUsage(t.Context(), s.caller)
		require.NoError(t, err)
		now := s.Now()
		require.Equal(t, engine.Usage{
			PlanStatus: "active", Tier: engine.TierPlatform, Speech: 3 * time.Minute,
			PeriodStart: time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC), PeriodEnd: time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC),
			StorageUsed: 10, StorageSoftLimit: 10, StorageHardLimit: 100,
		}, u)
		time.Sleep(32 * 24 * time.Hour)
		u, err = s.GetUsage(t.Context(), s.caller)
		require.NoError(t, err)
		require.Zero(t, u.Speech, "a new month must start at zero")
		s.completed()
		u, err = s.GetUsage(t.Context(), s.caller)
		require.NoError(t, err)
		require.Equal(t, time.Minute, u.Speech)
		stop()
	})
}
