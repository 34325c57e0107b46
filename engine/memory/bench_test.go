package memory_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// BenchmarkRecordings reads a page of 25 from the head and from the middle of a space with 1000 and with 100,000 recordings;
// the time must not grow with the space. A title without matches requires reading all of them.
func BenchmarkRecordings(b *testing.B) {
	for _, rows := range []int{1000, 100_000} {
		s := memory.NewStore()
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(b, s.Update(b.Context(), func(tx engine.Tx) error {
			for i := range rows {
				if err := tx.PutRecording(engine.Recording{
					ID: engine.RecordingID(fmt.Sprintf("%06d", i)), SpaceID: "space", Title: fmt.Sprintf("Episode %d: the one with a title", i),
					Number: i + 1, CreatedAt: begin.Add(time.Duration(i/2) * time.Second),
				}); err != nil {
					return err
				}
			}
			return nil
		}))
		middle := &cursor.Position{CreatedAt: begin.Add(time.Duration(rows/4) * time.Second)}
		for name, q := range map[string]engine.RecordingQuery{
			"head":   {Limit: 25},
			"middle": {Limit: 25, After: middle},
			"title":  {Limit: 25, Title: transcript.Fold("no such title")},
		} {
			q.Spaces = []engine.SpaceID{"space"}
			b.Run(fmt.Sprintf("%s/%d", name, rows), func(b *testing.B) {
				for b.Loop() {
					_ = s.View(context.Background(), func(tx engine.ReadTx) error {
						_, err := tx.Recordings(q)
						return err
					})
				}
			})
		}
	}
}

// BenchmarkUpdate changes the oldest of 100,000 recordings.
func BenchmarkUpdate(b *testing.B) {
	s := memory.NewStore()
	r := engine.Recording{ID: "oldest", SpaceID: "space"}
	require.NoError(b, s.Update(b.Context(), func(tx engine.Tx) error {
		for i := range 100_000 {
			if err := tx.PutRecording(engine.Recording{ID: engine.RecordingID(fmt.Sprint(i)), SpaceID: "space", CreatedAt: time.Unix(int64(i), 0)}); err != nil {
				return err
			}
		}
		return tx.PutRecording(r)
	}))
	for b.Loop() {
		_ = s.Update(context.Background(), func(tx engine.Tx) error {
			r.Number++
			return tx.PutRecording(r)
		})
	}
}

// BenchmarkSearch indexes transcripts and reads postings.
func BenchmarkSearch(b *testing.B) {
	enginetest.BenchmarkSearch(b, func(*testing.B) engine.Store { return memory.NewStore() })
}
