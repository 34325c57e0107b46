package sim

import "github.com/soundstage-dev/soundstage/engine/queue"

// Internals for tests in sim_test.
var (
	WorkKinds     = workKinds
	DeliveryKinds = deliveryKinds
)

// SetWaits and SetMoved replace functions of the Config before the engine runs.
func (s *Simulation) SetWaits(fn func(queue.Job)) { s.c.Waits = fn }
func (s *Simulation) SetMoved(fn func())          { s.c.Moved = fn }
