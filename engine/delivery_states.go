package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// DeliveryStatus is the state of a Delivery: stored form and wire form.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"   // waiting for its first attempt, or for a replay
	DeliveryRetrying  DeliveryStatus = "retrying"  // an attempt failed and will be retried
	DeliveryDelivered DeliveryStatus = "delivered" // the receiver answered 2xx
	DeliveryFailed    DeliveryStatus = "failed"    // every attempt failed, or the webhook was disabled
)

// DeliveryEvent is a transition of a Delivery.
type DeliveryEvent string

const (
	DeliverySucceeded DeliveryEvent = "succeeded" // the receiver answered 2xx
	DeliveryErrored   DeliveryEvent = "errored"   // an attempt failed and will be retried
	DeliveryExhausted DeliveryEvent = "exhausted" // the last attempt failed
	DeliveryReplayed  DeliveryEvent = "replayed"  // a replay was requested
)

// deliveryMachine is every state of a delivery and every transition. No state is terminal, because any finished delivery can be replayed.
var deliveryMachine = fsm.New("delivery", DeliveryPending, fsm.Table[DeliveryStatus, DeliveryEvent]{
	DeliveryPending:   {DeliverySucceeded: DeliveryDelivered, DeliveryErrored: DeliveryRetrying, DeliveryExhausted: DeliveryFailed},
	DeliveryRetrying:  {DeliverySucceeded: DeliveryDelivered, DeliveryErrored: DeliveryRetrying, DeliveryExhausted: DeliveryFailed},
	DeliveryDelivered: {DeliveryReplayed: DeliveryPending},
	DeliveryFailed:    {DeliveryReplayed: DeliveryPending},
})

// Over reports whether the delivery is finished. Only a replay changes it again.
func (s DeliveryStatus) Over() bool { return s == DeliveryDelivered || s == DeliveryFailed }

// apply changes the delivery's status; nothing else assigns it.
func (d *Delivery) apply(event DeliveryEvent) error {
	next, err := deliveryMachine.Next(d.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Delivery", "The delivery is still %s.", d.Status).Because(err)
	}
	d.Status = next
	return nil
}
