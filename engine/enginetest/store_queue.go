package enginetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// queueCases returns the claims about which job is next.
func queueCases() []storeCase {
	return []storeCase{
		{"a job is due from its RunAt on", dueFromItsTime},
		{"only queued and retrying jobs of the class are due", dueOfClass},
		{"the earliest due job is next, then the lowest id", dueInOrder},
		{"the tenant with the fewest running jobs of the class goes first", dueFairly},
		{"running jobs of another class don't count against a tenant", dueFairlyByClass},
		{"tenants take turns, however many jobs each has", dueInTurns},
		{"a job that isn't due doesn't delay its tenant's other jobs", dueDespiteLaterJob},
	}
}

// due returns the id of the job that is next at a time, or "" if none is.
func due(t *testing.T, s engine.Store, class queue.Class, now time.Time) (id string) {
	t.Helper()
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		j, err := tx.DueJob(class, now, nil)
		if err != nil {
			return err
		}
		id = string(j.ID)
		whole, err := tx.Job(j.ID)
		require.Equal(t, whole, j)
		return err
	})
	if err != nil {
		requireCode(t, engine.CodeNotFound, err)
		return ""
	}
	return id
}

func dueFromItsTime(t *testing.T, s engine.Store) {
	require.Empty(t, due(t, s, "class", at(0)))
	write(t, s, engine.Tx.Enqueue, runAt(newJob("job"), at(10)))
	require.Empty(t, due(t, s, "class", at(10).Add(-time.Microsecond)))
	require.Equal(t, "job", due(t, s, "class", at(10)))
	require.Equal(t, "job", due(t, s, "class", at(11)))
	require.Equal(t, "job", due(t, s, "class", at(11)), "DueJob doesn't remove the job")
}

func dueOfClass(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		withStatus(newJob("a"), queue.Running), withStatus(newJob("b"), queue.Completed), withStatus(newJob("c"), queue.Failed),
		withStatus(newJob("d"), queue.Canceled), inClass(newJob("e"), "other"), withStatus(newJob("f"), queue.Retrying),
	)
	require.Equal(t, "f", due(t, s, "class", at(0)))
	require.Equal(t, "e", due(t, s, "other", at(0)))
	require.Empty(t, due(t, s, "third", at(0)))
}

func dueInOrder(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.Enqueue,
		runAt(newJob("a"), at(3)), runAt(newJob("c"), at(2)), runAt(newJob("b"), at(2)), ofTenant(runAt(newJob("d"), at(2)), "another"),
		runAt(newJob("e"), at(1)), runAt(newJob("f"), at(99)),
	)
	var order []string
	for range 6 {
		id := due(t, s, "class", at(50))
		order = append(order, id)
		if id == "" {
			break
		}
		j := read(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.Job(queue.ID(id)) })
		write(t, s, engine.Tx.PutJob, withStatus(j, queue.Completed))
	}
	require.Equal(t, []string{"e", "b", "c", "d", "a", ""}, order)
}

func dueFairly(t *testing.T, s engine.Store) {
	running := func(id, tenant string) queue.Job {
		return ofTenant(withStatus(newJob(id), queue.Running), tenant)
	}
	write(t, s, engine.Tx.PutJob,
		running("r1", "a"), running("r2", "a"), running("r3", "b"),
		ofTenant(runAt(newJob("a"), at(-3)), "a"), ofTenant(runAt(newJob("b"), at(-2)), "b"), ofTenant(runAt(newJob("c"), at(-1)), "c"),
	)
	require.Equal(t, "c", due(t, s, "class", at(0)))
	write(t, s, engine.Tx.PutJob, running("c", "c"))
	require.Equal(t, "b", due(t, s, "class", at(0)), "b and c have one running job each, and the job of b is earlier")
	write(t, s, engine.Tx.PutJob, running("b", "b"))
	require.Equal(t, "a", due(t, s, "class", at(0)))
	// Finished jobs don't count.
	write(t, s, engine.Tx.PutJob, ofTenant(newJob("c2"), "c"), withStatus(running("c", "c"), queue.Failed))
	require.Equal(t, "c2", due(t, s, "class", at(0)))
}

func dueFairlyByClass(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		ofTenant(inClass(withStatus(newJob("r1"), queue.Running), "other"), "busy elsewhere"),
		ofTenant(withStatus(newJob("r2"), queue.Running), "busy"),
		ofTenant(runAt(newJob("a"), at(-1)), "busy"), ofTenant(newJob("b"), "busy elsewhere"),
	)
	require.Equal(t, "b", due(t, s, "class", at(0)))
}

func dueInTurns(t *testing.T, s engine.Store) {
	var jobs []queue.Job
	for i := range 6 {
		jobs = append(jobs, ofTenant(runAt(newJob(fmt.Sprintf("hog%d", i)), at(-100)), "hog"))
	}
	jobs = append(jobs, ofTenant(newJob("a0"), "a"), ofTenant(newJob("a1"), "a"), ofTenant(newJob("b0"), "b"))
	write(t, s, engine.Tx.Enqueue, jobs...)
	var order []string
	for range len(jobs) {
		id := due(t, s, "class", at(0))
		order = append(order, id)
		i := slices.IndexFunc(jobs, func(j queue.Job) bool { return string(j.ID) == id })
		require.GreaterOrEqual(t, i, 0)
		write(t, s, engine.Tx.PutJob, withStatus(jobs[i], queue.Running))
	}
	require.Equal(t, []string{"hog0", "a0", "b0", "hog1", "a1", "hog2", "hog3", "hog4", "hog5"}, order)
}

func dueDespiteLaterJob(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.Enqueue, runAt(newJob("a"), at(60)), runAt(newJob("b"), at(-1)))
	require.Equal(t, "b", due(t, s, "class", at(0)))
}
