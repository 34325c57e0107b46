// Package sim makes an engine's jobs take as long as at the hosted service, on a clock that may be frozen or advanced.
//
// A [Simulation] is the queue.Observer of the sandbox's engine. It delays enqueued jobs, makes attempts last on the simulated
// clock, and fails them as a script says. It knows when every job waits for the clock, and then moves the clock: for
// [Simulation.Advance], for polls, and for [Simulation.WaitIdle].
//
//	s := sim.New(sim.Config{Clock: c, Store: store, Jobs: sim.Typical{}})
//	e, err := engine.New(engine.Config{Store: store, Clock: c, Observer: s})
//
// The Simulation reads the engine's rows from the store. Its engine must be the only one that works on the store.
package sim
