package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
)

// crashes is how often TestCrash crashes the server.
var crashes = flag.Int("crashes", 4, "how often TestCrash crashes PostgreSQL")

// A server that crashes in the middle of commits loses nothing that Update has acknowledged, and nothing is written twice.
func TestCrash(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	var mu sync.Mutex
	acked, sent, unknown := map[string]bool{}, map[string]int{}, 0
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var writers sync.WaitGroup
	for node := range 4 {
		s := openAt(t, server.URL())
		for writer := range 4 {
			writers.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					id := fmt.Sprintf("%d-%d-%d", node, writer, i)
					err := s.Update(context.Background(), func(tx engine.Tx) error {
						return tx.PutSpeaker(engine.Speaker{ID: engine.SpeakerID(id), SpaceID: engine.SpaceID(fmt.Sprint("space-", node, "-", writer)), Name: id})
					})
					mu.Lock()
					sent[id]++
					if err == nil {
						acked[id] = true
					} else {
						unknown++
					}
					mu.Unlock()
					if err != nil && engine.CodeOf(err) != engine.CodeUnavailable {
						t.Errorf("Update: %v", err)
						return
					}
				}
			})
		}
	}
	for range *crashes {
		time.Sleep(time.Duration(200+rand.IntN(200)) * time.Millisecond) // the moment is random
		server.Crash(t)
		server.Start(t)
	}
	cancel()
	writers.Wait()
	s := openAt(t, server.URL())
	stored := map[string]bool{}
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
		for node := range 4 {
			for writer := range 4 {
				list, err := tx.Speakers(engine.SpaceID(fmt.Sprint("space-", node, "-", writer)))
				if err != nil {
					return err
				}
				for _, one := range list {
					stored[string(one.ID)] = true
				}
			}
		}
		return nil
	}))
	lost := 0
	for id := range acked {
		if !stored[id] {
			lost++
		}
	}
	t.Logf("%d crashes, %d writes acknowledged, %d without a result", *crashes, len(acked), unknown)
	require.Zero(t, lost)
}
