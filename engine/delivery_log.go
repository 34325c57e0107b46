package engine

import (
	"slices"
	"strings"
)

const maxResponse = 2 << 10 // bytes of an answer that are kept

// cutBody is the part of an answer that is kept: valid UTF-8 of at most maxResponse bytes.
func cutBody(body []byte) string {
	s := strings.ToValidUTF8(string(body[:min(len(body), maxResponse)]), "\uFFFD")
	if len(s) > maxResponse {
		s = strings.ToValidUTF8(s[:maxResponse], "")
	}
	return s
}

// logTry moves a delivery and appends a try to it; the oldest one goes when there are too many. A delivery that was deleted meanwhile
// stays deleted.
func (e *Engine) logTry(tx Tx, id DeliveryID, event DeliveryEvent, try Attempt) error {
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
	d.Attempts, d.UpdatedAt = append(d.Attempts, try), e.now()
	if extra := len(d.Attempts) - MaxAttempts; extra > 0 {
		d.Attempts = slices.Delete(d.Attempts, 0, extra)
	}
	if err := tx.PutDelivery(d); err != nil || !d.Status.Over() {
		return err
	}
	return e.expireDeliveriesLater(tx)
}
