package api_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// Requests compute in the order in which they came, as many at once as there are turns; one whose turn lasts long doesn't keep the others.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := api.NewTurns(1).ConnContext(t.Context(), nil)
		_, endFirst := api.TakeTurn(ctx)
		var order []int
		for i := range 3 {
			go func() {
				_, end := api.TakeTurn(ctx)
				defer end()
				order = append(order, i)
				time.Sleep(time.Millisecond)
			}()
			synctest.Wait()
		}
		require.Empty(t, order)
		endFirst()
		endFirst()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []int{0, 1, 2}, order)

		again, end := api.TakeTurn(ctx) // waits for something, and ends late
		began := time.Now()
		_, endNext := api.TakeTurn(ctx)
		require.Equal(t, 20*time.Millisecond, time.Since(began))
		end()
		endNext()
		again(ctx)
		gone, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		began = time.Now()
		_, endGone := api.TakeTurn(gone)
		require.Equal(t, time.Millisecond, time.Since(began), "nobody waits for who has gone")
		endGone()
		end()

		free, endFree := api.TakeTurn(t.Context()) // a server without turns
		free(t.Context())
		endFree()
		require.Equal(t, time.Millisecond, time.Since(began))
	})
}
