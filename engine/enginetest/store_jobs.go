package enginetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// jobCases returns the claims about enqueueing and finding jobs and about the next job's time.
func jobCases() []storeCase {
	return []storeCase{
		{"enqueueing the key of an unfinished job does nothing", enqueueLive},
		{"enqueueing the key of a finished job adds a job", enqueueAgain},
		{"a job is found by its key until it is finished", jobByKey},
		{"two unfinished jobs can't have one key", oneLiveJob},
		{"the next job is the earliest of the given classes, including retries", nextJob},
		{"the next job time can be a lease expiry of any class", nextLease},
		{"there is no next job time without waiting or running jobs", nextNothing},
		{"leased jobs are all running jobs, earliest lease first", leasedJobs},
		{"waiting jobs are the queued and retrying jobs of all classes, earliest first", waitingJobs},
	}
}

// newJob returns a queued job that is due at at(0).
func newJob(id string) queue.Job {
	return queue.Job{
		ID: queue.ID(id), Key: "key of " + id, Kind: "kind", Class: "class", Ref: "ref", Tenant: "tenant", Status: queue.Queued,
		RunAt: at(0), CreatedAt: at(0), UpdatedAt: at(0),
	}
}

// withStatus returns a job with a status, as the engine's state machine sets it.
func withStatus(j queue.Job, status queue.Status) queue.Job {
	j.Status, j.LeaseOwner, j.LeaseUntil = status, "", time.Time{}
	if status == queue.Running {
		j.LeaseOwner, j.LeaseUntil = "owner", at(30)
	}
	return j
}

func inClass(j queue.Job, class queue.Class) queue.Job { j.Class = class; return j }

func runAt(j queue.Job, when time.Time) queue.Job { j.RunAt = when; return j }

func ofTenant(j queue.Job, tenant string) queue.Job { j.Tenant = tenant; return j }

func leasedUntil(j queue.Job, until time.Time) queue.Job {
	j = withStatus(j, queue.Running)
	j.LeaseUntil = until
	return j
}

var terminalStatuses = []queue.Status{queue.Completed, queue.Failed, queue.Canceled}

var liveStatuses = []queue.Status{queue.Queued, queue.Running, queue.Retrying}

func findByKey(t *testing.T, s engine.Store, key string) (queue.Job, error) {
	t.Helper()
	return tryRead(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.JobByKey(key) })
}

func nextJobAt(t *testing.T, s engine.Store, classes ...queue.Class) (at time.Time, ok bool) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
		at, ok, err = tx.NextJobAt(classes, nil)
		return err
	}))
	return at, ok
}

func requireNext(t *testing.T, s engine.Store, want time.Time, classes ...queue.Class) {
	t.Helper()
	got, ok := nextJobAt(t, s, classes...)
	require.True(t, ok)
	require.True(t, want.Equal(got), "want %v, got %v", want, got)
}

func enqueueLive(t *testing.T, s engine.Store) {
	for _, status := range liveStatuses {
		first := newJob("first " + string(status))
		write(t, s, engine.Tx.Enqueue, first)
		first = withStatus(first, status)
		write(t, s, engine.Tx.PutJob, first)
		second := newJob("second " + string(status))
		second.Key = first.Key
		write(t, s, engine.Tx.Enqueue, second)
		got, err := findByKey(t, s, first.Key)
		require.NoError(t, err)
		require.Equal(t, first, got)
		_, err = tryRead(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.Job(second.ID) })
		requireCode(t, engine.CodeNotFound, err)
	}
	// The same within one transaction.
	third, fourth := newJob("third"), newJob("fourth")
	fourth.Key = third.Key
	write(t, s, engine.Tx.Enqueue, third, fourth)
	got, err := findByKey(t, s, third.Key)
	require.NoError(t, err)
	require.Equal(t, third, got)
}

func enqueueAgain(t *testing.T, s engine.Store) {
	for _, status := range terminalStatuses {
		first := newJob("first " + string(status))
		first.Key = "key"
		write(t, s, engine.Tx.Enqueue, first)
		// One transaction may finish a job and enqueue the next one.
		second := newJob("second " + string(status))
		second.Key = "key"
		update(t, s, func(tx engine.Tx) error {
			return errors.Join(tx.PutJob(withStatus(first, status)), tx.Enqueue(second))
		})
		got, err := findByKey(t, s, "key")
		require.NoError(t, err)
		require.Equal(t, second, got)
		old := read(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.Job(first.ID) })
		require.Equal(t, withStatus(first, status), old)
		write(t, s, engine.Tx.PutJob, withStatus(second, status))
	}
}

func jobByKey(t *testing.T, s engine.Store) {
	j := newJob("job")
	write(t, s, engine.Tx.Enqueue, j, newJob("other"))
	for _, status := range liveStatuses {
		write(t, s, engine.Tx.PutJob, withStatus(j, status))
		got, err := findByKey(t, s, j.Key)
		require.NoError(t, err)
		require.Equal(t, withStatus(j, status), got)
	}
	for _, status := range terminalStatuses {
		write(t, s, engine.Tx.PutJob, withStatus(j, status))
		_, err := findByKey(t, s, j.Key)
		requireCode(t, engine.CodeNotFound, err)
	}
}

func oneLiveJob(t *testing.T, s engine.Store) {
	first, second := newJob("first"), newJob("second")
	second.Key = first.Key
	write(t, s, engine.Tx.PutJob, first)
	require.Error(t, s.Update(t.Context(), func(tx engine.Tx) error { return tx.PutJob(second) }))
	write(t, s, engine.Tx.PutJob, withStatus(second, queue.Completed)) // a finished job may have the same key
	got, err := findByKey(t, s, first.Key)
	require.NoError(t, err)
	require.Equal(t, first, got)
}

func nextJob(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		inClass(runAt(newJob("a"), at(7)), "one"), inClass(runAt(newJob("b"), at(5)), "one"),
		inClass(runAt(withStatus(newJob("c"), queue.Retrying), at(3)), "two"),
		inClass(runAt(newJob("d"), at(-1)), "three"), inClass(withStatus(newJob("e"), queue.Failed), "one"),
	)
	requireNext(t, s, at(5), "one")
	requireNext(t, s, at(3), "two", "one")
	requireNext(t, s, at(-1), "one", "two", "three")
	_, ok := nextJobAt(t, s, "four")
	require.False(t, ok)
}

func nextLease(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		inClass(leasedUntil(newJob("a"), at(9)), "one"), inClass(leasedUntil(newJob("b"), at(8)), "two"), inClass(runAt(newJob("c"), at(10)), "one"),
	)
	requireNext(t, s, at(8))
	requireNext(t, s, at(8), "one")
	write(t, s, engine.Tx.PutJob, inClass(leasedUntil(newJob("b"), at(20)), "two")) // a heartbeat
	requireNext(t, s, at(9), "one")
	write(t, s, engine.Tx.PutJob, inClass(withStatus(newJob("a"), queue.Completed), "one"))
	requireNext(t, s, at(10), "one")
	requireNext(t, s, at(20), "two")
}

func nextNothing(t *testing.T, s engine.Store) {
	_, ok := nextJobAt(t, s, "class")
	require.False(t, ok)
	for _, status := range terminalStatuses {
		write(t, s, engine.Tx.PutJob, withStatus(newJob(string(status)), status))
	}
	_, ok = nextJobAt(t, s, "class")
	require.False(t, ok)
	write(t, s, engine.Tx.PutJob, newJob("waits"))
	_, ok = nextJobAt(t, s)
	require.False(t, ok, "no class was given")
}

func leasedJobs(t *testing.T, s engine.Store) {
	leased := func() []string {
		jobs := read(t, s, func(tx engine.ReadTx) ([]queue.Job, error) { return tx.LeasedJobs() })
		return ids(jobs, func(j queue.Job) queue.ID { return j.ID })
	}
	require.Empty(t, leased())
	write(t, s, engine.Tx.PutJob,
		leasedUntil(newJob("c"), at(2)), inClass(leasedUntil(newJob("b"), at(3)), "other"), leasedUntil(newJob("a"), at(3)), leasedUntil(newJob("d"), at(1)),
		newJob("waits"), withStatus(newJob("retries"), queue.Retrying), withStatus(newJob("over"), queue.Canceled),
	)
	require.Equal(t, []string{"d", "c", "a", "b"}, leased())
	write(t, s, engine.Tx.PutJob, leasedUntil(newJob("d"), at(4)), withStatus(newJob("c"), queue.Queued))
	require.Equal(t, []string{"a", "b", "d"}, leased())
}

func waitingJobs(t *testing.T, s engine.Store) {
	waiting := func(limit int) []string {
		jobs := read(t, s, func(tx engine.ReadTx) ([]queue.Job, error) { return tx.WaitingJobs(limit) })
		return ids(jobs, func(j queue.Job) queue.ID { return j.ID })
	}
	require.Empty(t, waiting(10))
	write(t, s, engine.Tx.PutJob,
		runAt(newJob("c"), at(2)), inClass(runAt(newJob("b"), at(3)), "other"), runAt(newJob("a"), at(3)),
		withStatus(runAt(newJob("retries"), at(1)), queue.Retrying), leasedUntil(newJob("runs"), at(1)), withStatus(newJob("over"), queue.Canceled),
	)
	require.Equal(t, []string{"retries", "c", "a", "b"}, waiting(10))
	require.Equal(t, []string{"retries", "c"}, waiting(2))
}
