// Package queue runs jobs that are rows of a store. It claims due jobs, renews their leases, retries failures, takes over
// jobs of dead workers, and cancels. It doesn't know what the jobs do.
//
// A job is enqueued in the transaction that makes it necessary, and its end is written in the transaction that writes its
// result. So a job and its effect are committed together or not at all. Every claim increments the job's generation; a
// write by an older generation fails with [ErrLostLease].
//
// Start with [New]. A [Config] names the [Store] and a [Handler] for each [Kind], and [Queue.Run] does the work:
//
//	q, err := queue.New(config)
//	err = q.Update(ctx, func(tx Tx) error { return tx.Enqueue(q.NewJob("transcribe", recordingID, accountID, now)) })
//	err = q.Run(ctx)
//
// An optional [Observer] follows every attempt; simulations and metrics are observers.
package queue
