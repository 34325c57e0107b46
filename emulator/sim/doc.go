// Package sim makes the jobs of an engine take as long as they do at the hosted service, on a clock that may stand still or jump.
//
// A [Simulation] is the queue.Observer of the sandbox's engine. It delays jobs when they are enqueued, lets attempts whose work is done
// linger on the clock, and makes them fail as a script says. It knows when nothing happens until the clock shows another time, and moves
// the clock there: for [Simulation.Advance], for polls and for whoever waits until everything is done.
//
// The Simulation reads the engine's rows from its store, so it must be the observer of the only engine that works on the store.
package sim
