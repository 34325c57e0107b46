package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
)

const (
	// DeliveryKeep is how long a finished delivery stays in the log of its webhook.
	DeliveryKeep = 30 * 24 * time.Hour
	// expireBatch limits how many deliveries one transaction removes, so that it doesn't block others for long.
	expireBatch = 1000
)

// expireDeliveriesLater queues the removal of today's finished deliveries: one job per day, which runs when the last one has expired.
func (e *Engine) expireDeliveriesLater(tx Tx) error {
	day := e.now().Truncate(24 * time.Hour)
	ref := day.Format(time.DateOnly)
	if _, err := tx.JobByKey(queue.Key(JobDeliveryExpire, ref)); CodeOf(err) != CodeNotFound {
		return err // It exists. Using no id keeps ids independent of the order in which deliveries end.
	}
	return tx.Enqueue(e.firstJob(JobDeliveryExpire, ref, "", day.Add(expireDay)))
}

// expireDay is how long after the begin of a day all deliveries that finished on it have expired.
const expireDay = 24*time.Hour + DeliveryKeep

// runDeliveryExpire removes every delivery that has been finished for DeliveryKeep. If an operator hastened the job, another one follows at
// its time.
func (e *Engine) runDeliveryExpire(ctx context.Context, w *work) (func(Tx) error, error) {
	for n := expireBatch; n == expireBatch; {
		if err := w.update(ctx, func(tx Tx) (err error) {
			n, err = tx.DeleteDeliveries(e.now().Add(-DeliveryKeep), expireBatch)
			return err
		}); err != nil {
			return nil, err
		}
	}
	day, err := time.Parse(time.DateOnly, w.job.Ref)
	if at := day.Add(expireDay); err == nil && e.now().Before(at) {
		return func(tx Tx) error { return tx.Enqueue(e.successor(w.job, at)) }, nil
	}
	return nil, nil
}
