package engine_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// Operators list the recordings and deliveries of all accounts, newest first, by status, and page by page.
func TestAllRecordingsAndDeliveries(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
		for i := range 5 {
			r := engine.Recording{
				ID: engine.RecordingID(fmt.Sprint("r", i)), SpaceID: engine.SpaceID(fmt.Sprint("foreign ", i%2)), Number: i + 1, CreatedAt: begun.Add(time.Duration(i) * time.Second),
				TranscriptStatus: []engine.TranscriptStatus{engine.TranscriptCompleted, engine.TranscriptError}[i%2],
			}
			d := engine.Delivery{
				ID: engine.DeliveryID(fmt.Sprint("d", i)), WebhookID: engine.WebhookID(fmt.Sprint("w", i%2)), CreatedAt: r.CreatedAt,
				Status: []engine.DeliveryStatus{engine.DeliveryDelivered, engine.DeliveryFailed}[i%2],
			}
			if err := tx.PutRecording(r); err != nil {
				return err
			}
			if err := tx.PutDelivery(d); err != nil {
				return err
			}
		}
		return nil
	}))
	recordings := func(l engine.StatusList[engine.TranscriptStatus]) (ids, next string) {
		page, err := s.AllRecordings(t.Context(), l)
		require.NoError(t, err)
		for _, r := range page.Rows {
			ids += string(r.ID)
		}
		return ids, page.NextCursor
	}
	ids, next := recordings(engine.StatusList[engine.TranscriptStatus]{Limit: 3})
	require.Equal(t, "r4r3r2", ids)
	ids, last := recordings(engine.StatusList[engine.TranscriptStatus]{Limit: 3, Cursor: next})
	require.Equal(t, "r1r0", ids)
	require.Empty(t, last)
	ids, _ = recordings(engine.StatusList[engine.TranscriptStatus]{Statuses: []engine.TranscriptStatus{engine.TranscriptError}})
	require.Equal(t, "r3r1", ids)
	page, err := s.AllDeliveries(t.Context(), engine.StatusList[engine.DeliveryStatus]{Statuses: []engine.DeliveryStatus{engine.DeliveryFailed}, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, engine.DeliveryID("d3"), page.Rows[0].ID)
	require.NotEmpty(t, page.NextCursor)

	for want, l := range map[string]engine.StatusList[engine.DeliveryStatus]{
		`There is no status "done" of deliveries.`:        {Statuses: []engine.DeliveryStatus{"done"}},
		"limit must be a number from 1 to 100 (got -1).":  {Limit: -1},
		"limit must be a number from 1 to 100 (got 101).": {Limit: 101},
		"cursor is not valid for this list":               {Cursor: next},
		"cursor is not valid":                             {Cursor: page.NextCursor}, // of another status
	} {
		_, err := s.AllDeliveries(t.Context(), l)
		requireCode(t, engine.CodeInvalid, err)
		require.ErrorContains(t, err, want)
	}
}
