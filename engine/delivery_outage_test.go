package engine_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// outage is a store that can't read deliveries while down is true.
type outage struct {
	engine.Store
	down atomic.Bool
}

func (s *outage) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	return s.Store.View(ctx, func(tx engine.ReadTx) error { return fn(outageTx{tx, s}) })
}

type outageTx struct {
	engine.ReadTx
	s *outage
}

func (t outageTx) Delivery(id engine.DeliveryID) (engine.Delivery, error) {
	if t.s.down.Load() {
		return engine.Delivery{}, errBlind
	}
	return t.ReadTx.Delivery(id)
}

// An outage of the store uses up no attempt of a delivery: it is sent when the store is back, not minutes later.
func TestDeliveryAfterOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &outage{Store: memory.NewStore()}
		s := newHookStage(t, engine.Config{Store: store}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		store.down.Store(true)
		s.complete()
		time.Sleep(20 * time.Second)
		require.Empty(t, s.sent())
		store.down.Store(false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Len(t, s.sent(), 1)
		d := s.delivery(w.ID)
		require.Equal(t, engine.DeliveryDelivered, d.Status)
		require.Len(t, d.Attempts, 1)
	})
}

// An outage that lasts counts as an attempt in the end, so that nothing waits for ever.
func TestDeliveryInLongOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &outage{Store: memory.NewStore()}
		s := newHookStage(t, engine.Config{Store: store}, replies(200))
		w, _ := s.hook(engine.NewWebhook{})
		store.down.Store(true)
		s.complete()
		time.Sleep(62 * time.Second)
		store.down.Store(false)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Len(t, s.sent(), 1)
		require.Len(t, s.delivery(w.ID).Attempts, 2)
	})
}
