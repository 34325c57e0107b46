package engine

import "slices"

const maxResponse = 2 << 10 // bytes of a response that are kept

// logAttempt changes a delivery's status and appends an attempt, dropping the oldest beyond MaxAttempts. A deleted delivery stays
// deleted.
func (e *Engine) logAttempt(tx Tx, id DeliveryID, event DeliveryEvent, attempt Attempt) error {
	d, err := tx.Delivery(id)
	if CodeOf(err) == CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.apply(event); err != nil {
		return err
	}
	d.Attempts, d.UpdatedAt = append(d.Attempts, attempt), e.now()
	if extra := len(d.Attempts) - MaxAttempts; extra > 0 {
		d.Attempts = slices.Delete(d.Attempts, 0, extra)
	}
	if err := tx.PutDelivery(d); err != nil || !d.Status.Over() {
		return err
	}
	return e.expireDeliveriesLater(tx)
}
