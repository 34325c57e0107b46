package sqlite_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// LastCreated finds the newest row of every kind before a time.
func TestLastCreated(t *testing.T) {
	t.Parallel()
	s := openAt(t, newPath(t))
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	last, err := s.LastCreated(t.Context(), at)
	require.NoError(t, err)
	require.True(t, last.IsZero())
	for i, put := range []func(engine.Tx, time.Time) error{
		func(tx engine.Tx, at time.Time) error { return tx.PutUser(engine.User{ID: "u", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error { return tx.PutSpace(engine.Space{ID: "s", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error { return tx.PutRole(engine.Role{ID: "r", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error { return tx.PutSpeaker(engine.Speaker{ID: "p", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error { return tx.PutPrompt(engine.Prompt{ID: "p", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error {
			return tx.PutRecording(engine.Recording{ID: "r", TranscriptStatus: engine.TranscriptQueued, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error {
			return tx.PutOutput(engine.Output{ID: "o", Type: engine.OutputDynamic, Status: engine.OutputQueued, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error {
			return tx.PutRender(engine.Render{ID: "r", Status: engine.RenderRendering, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error {
			return tx.PutChat(engine.Chat{ID: "c", Status: engine.ChatQueued, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error {
			return tx.PutImport(engine.Import{ID: "i", Status: engine.ImportQueued, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error { return tx.PutWebhook(engine.Webhook{ID: "w", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error {
			return tx.PutDelivery(engine.Delivery{ID: "d", Status: engine.DeliveryPending, CreatedAt: at})
		},
		func(tx engine.Tx, at time.Time) error { return tx.PutKey(engine.Key{ID: "k", CreatedAt: at}) },
		func(tx engine.Tx, at time.Time) error { return tx.PutEdit(engine.Edit{ID: "e", CreatedAt: at}) },
	} {
		created := at.Add(time.Duration(i) * time.Second)
		update(t, s, func(tx engine.Tx) error { return put(tx, created) })
		last, err := s.LastCreated(t.Context(), at.Add(time.Hour))
		require.NoError(t, err)
		require.Equal(t, created, last, i)
	}
	last, err = s.LastCreated(t.Context(), at.Add(5*time.Second))
	require.NoError(t, err)
	require.Equal(t, at.Add(4*time.Second), last)
}
