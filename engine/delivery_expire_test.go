package engine_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// A finished delivery stays in the log for 30 days and is removed within a day after that, however many there are. A replay
// restarts the 30 days. An unfinished delivery stays.
func TestDeliveriesExpire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newHookStage(t, engine.Config{WebhookRetry: []time.Duration{}}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		replayed := s.test(w.ID)
		many, _ := s.hook(engine.NewWebhook{})
		const others = 1200 // more than one transaction removes
		require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
			for i := range others {
				if err := tx.PutDelivery(engine.Delivery{
					ID: engine.DeliveryID(fmt.Sprint(i)), WebhookID: many.ID, Status: engine.DeliveryDelivered, UpdatedAt: s.Now(),
				}); err != nil {
					return err
				}
			}
			return tx.PutDelivery(engine.Delivery{ID: "waits", WebhookID: many.ID, Status: engine.DeliveryPending})
		}))
		all := func(id engine.WebhookID) (n int) {
			require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
				found, err := tx.Deliveries(id, 2*others)
				n = len(found)
				return err
			}))
			return n
		}
		time.Sleep(20 * 24 * time.Hour)
		_, err := s.ReplayDelivery(t.Context(), s.caller, w.ID, replayed.ID)
		require.NoError(t, err)
		time.Sleep(10 * 24 * time.Hour)
		require.Equal(t, []int{1, others + 1}, []int{all(w.ID), all(many.ID)})
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		require.Equal(t, []int{1, 1}, []int{all(w.ID), all(many.ID)})
		require.Equal(t, replayed.ID, s.delivery(w.ID).ID)
		require.Equal(t, engine.DeliveryID("waits"), s.delivery(many.ID).ID)
		time.Sleep(20 * 24 * time.Hour)
		synctest.Wait()
		require.Empty(t, s.deliveries(w.ID))
		require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
			_, ok, err := tx.NextJobAt([]queue.Class{queue.ClassMaintain}, nil)
			require.False(t, ok, "nothing must be left to remove")
			return err
		}))
	})
}
