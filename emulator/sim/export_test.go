package sim

// Internals for tests in sim_test.
var (
	WorkKinds     = workKinds
	DeliveryKinds = deliveryKinds
)
