package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	// DeliveryKeep is how long a delivery that is over stays in the log of its webhook.
	DeliveryKeep = 30 * 24 * time.Hour
	// expiredAtOnce bounds how many deliveries one transaction removes, so that others get their turn.
	expiredAtOnce = 1000
)

// expireDeliveriesLater queues the removal of the deliveries that are over today: one job for all of a day, which runs when the
// last one's time has come.
func (e *Engine) expireDeliveriesLater(tx Tx) error {
	day := e.now().Truncate(24 * time.Hour)
	ref := day.Format(time.DateOnly)
	if _, err := tx.JobByKey(queue.Key(jobDeliveryExpire, ref)); CodeOf(err) != CodeNotFound {
		return err // it is there; no id is spent, so that which delivery of a day ends first changes nothing
	}
	return tx.Enqueue(e.newJob(jobDeliveryExpire, ref, "", day.Add(24*time.Hour+DeliveryKeep)))
}

// runDeliveryExpire removes every delivery that has been over for DeliveryKeep.
func (e *Engine) runDeliveryExpire(ctx context.Context, w *work) (func(Tx) error, error) {
	for n := expiredAtOnce; n == expiredAtOnce; {
		if err := w.update(ctx, func(tx Tx) (err error) {
			n, err = tx.DeleteDeliveries(e.now().Add(-DeliveryKeep), expiredAtOnce)
			return err
		}); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
