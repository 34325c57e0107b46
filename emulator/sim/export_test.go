package sim

// What tests need of the inside.
var (
	WorkKinds     = workKinds
	DeliveryKinds = deliveryKinds
)
