package queue

import (
	"cmp"
	"log/slog"
)

// logOf returns the log for messages about a job. Their attributes are job, kind, ref, attempt, generation, and the job's tenant, named
// as its Handler says; messages about the end of an attempt also have duration, on the wall clock.
func (q *Queue[R, W]) logOf(j Job) *slog.Logger {
	tenant := cmp.Or(q.c.Handlers[j.Kind].Tenant, "tenant")
	return q.c.Log.With("job", j.ID, "kind", j.Kind, "ref", j.Ref, "attempt", j.Attempt, "generation", j.Generation, tenant, j.Tenant)
}

// logEnd logs the end of an attempt that did not complete its job.
func logEnd(log *slog.Logger, event Event, err error) {
	switch event {
	case Stopped:
		log.Info("job canceled")
	case Released:
		log.Info("job interrupted; the next Run continues it")
	case Errored:
		log.Info("job will be retried", "err", err)
	case Exhausted:
		log.Warn("job failed", "err", err)
	}
}
