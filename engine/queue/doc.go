// Package queue runs jobs that live in a store: it claims what is due, keeps the leases of what runs, repeats what failed, takes over
// what a dead worker left, and cancels. It knows nothing of what the jobs do.
//
// A job is a row. It is enqueued in the transaction that makes it necessary, and its end is written in the transaction that writes its
// result, so a job and what it does are committed together or not at all. Every claim raises the job's generation; a write by an older
// generation fails with [ErrLostLease].
//
// Start at [New]: a [Config] names the [Store] and a [Handler] for each [Kind]. [Queue.Run] does the work. An [Observer], if there is
// one, follows every attempt; simulations and metrics are observers.
package queue
