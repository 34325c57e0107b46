package engine

import "github.com/soundstage-dev/soundstage/engine/fsm"

// DeliveryStatus is the state of a Delivery: stored form and wire form.
type DeliveryStatus string

const (
	DeliveryPending   DeliveryStatus = "pending"   // waits for its first try, or for a replay
	DeliveryRetrying  DeliveryStatus = "retrying"  // a try failed, another one follows
	DeliveryDelivered DeliveryStatus = "delivered" // the receiver answered 2xx
	DeliveryFailed    DeliveryStatus = "failed"    // every try failed, or the webhook was disabled
)

// DeliveryEvent is what happens to a Delivery.
type DeliveryEvent string

const (
	DeliverySucceeded DeliveryEvent = "succeeded" // the receiver answered 2xx
	DeliveryErrored   DeliveryEvent = "errored"   // the try failed, another one follows
	DeliveryExhausted DeliveryEvent = "exhausted" // the try failed and no other follows
	DeliveryReplayed  DeliveryEvent = "replayed"  // somebody asked for it again
)

// deliveryMachine is every state of a delivery and every way out of it. None is terminal: any can be replayed.
var deliveryMachine = fsm.New("delivery", DeliveryPending, fsm.Table[DeliveryStatus, DeliveryEvent]{
	DeliveryPending:   {DeliverySucceeded: DeliveryDelivered, DeliveryErrored: DeliveryRetrying, DeliveryExhausted: DeliveryFailed},
	DeliveryRetrying:  {DeliverySucceeded: DeliveryDelivered, DeliveryErrored: DeliveryRetrying, DeliveryExhausted: DeliveryFailed},
	DeliveryDelivered: {DeliveryReplayed: DeliveryPending},
	DeliveryFailed:    {DeliveryReplayed: DeliveryPending},
})

// Over reports whether nothing more happens to a delivery in this status, unless somebody asks for it again.
func (s DeliveryStatus) Over() bool { return s == DeliveryDelivered || s == DeliveryFailed }

// apply moves the delivery; it is the only place that assigns its status.
func (d *Delivery) apply(event DeliveryEvent) error {
	next, err := deliveryMachine.Next(d.Status, event)
	if err != nil {
		return Errorf(CodeConflict, "Delivery", "The delivery is still %s.", d.Status).Because(err)
	}
	d.Status = next
	return nil
}
