package sqlite_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
)

// Open deletes only finished jobs that ended more than a week before the newest one.
func TestOldJobs(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	const day = 24 * time.Hour
	update(t, s, func(tx engine.Tx) error {
		for _, status := range []queue.Status{
			queue.Queued, queue.Running, queue.Retrying, queue.Completed, queue.Failed, queue.Canceled,
		} {
			for _, age := range []time.Duration{0, 6 * day, 8 * day} {
				j := job(fmt.Sprintf("%s-%d", status, age/day))
				j.Status, j.UpdatedAt = status, noon.Add(-age)
				if err := tx.PutJob(j); err != nil {
					return err
				}
			}
		}
		return nil
	})
	require.NoError(t, s.Close())
	openAt(t, path)
	require.Equal(t, []string{
		"canceled-0", "canceled-6", "completed-0", "completed-6", "failed-0", "failed-6",
		"queued-0", "queued-6", "queued-8", "retrying-0", "retrying-6", "retrying-8", "running-0", "running-6", "running-8",
	}, queryFile(t, path, "SELECT id FROM jobs ORDER BY id"))
}

// Finished jobs are deleted a week later also while the database stays open, at most about a thousand jobs late.
func TestOldJobsWhileOpen(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s, err := sqlite.Open(t.Context(), path)
	require.NoError(t, err)
	end := func(prefix string, at time.Time) {
		for n := range 10 {
			update(t, s, func(tx engine.Tx) error {
				for i := range 150 {
					j := job(fmt.Sprintf("%s-%02d-%03d", prefix, n, i))
					j.Status, j.UpdatedAt = queue.Completed, at
					if err := tx.PutJob(j); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	end("old", noon.Add(-8*24*time.Hour))
	end("kept", noon.Add(-6*24*time.Hour))
	end("new", noon)
	require.NoError(t, s.Close())
	require.Equal(t, []string{"kept", "new"}, queryFile(t, path, "SELECT DISTINCT substr(id, 1, instr(id, '-') - 1) FROM jobs ORDER BY 1"))
}

// Tenants take turns, even if one has thousands of jobs.
func TestManyJobsOfOneTenant(t *testing.T) {
	t.Parallel()
	s := open(t)
	update(t, s, func(tx engine.Tx) error {
		for i := range 5000 {
			j := job(fmt.Sprintf("many-%05d", i))
			j.Tenant = "a"
			if err := tx.Enqueue(j); err != nil {
				return err
			}
		}
		late := job("one")
		late.Tenant, late.RunAt = "b", noon.Add(time.Minute)
		return tx.Enqueue(late)
	})
	var order []queue.ID
	for range 4 {
		update(t, s, func(tx engine.Tx) error {
			j, err := tx.DueJob(queue.ClassImport, noon.Add(time.Hour), nil)
			if err != nil {
				return err
			}
			order = append(order, j.ID)
			j.Status, j.LeaseUntil = queue.Running, noon.Add(2*time.Hour)
			return tx.PutJob(j)
		})
	}
	require.Equal(t, []queue.ID{"many-00000", "one", "many-00001", "many-00002"}, order)
}

// LastJob returns the newest change, of a finished or an unfinished job.
func TestLastJob(t *testing.T) {
	t.Parallel()
	s := open(t)
	last, err := s.LastJob(t.Context())
	require.NoError(t, err)
	require.True(t, last.IsZero())
	for i, status := range []queue.Status{queue.Completed, queue.Queued, queue.Failed, queue.Running, queue.Canceled, queue.Retrying} {
		j := job(string(status))
		j.Status, j.UpdatedAt = status, noon.Add(time.Duration(i)*time.Hour)
		update(t, s, func(tx engine.Tx) error { return tx.PutJob(j) })
		last, err := s.LastJob(t.Context())
		require.NoError(t, err)
		require.Equal(t, j.UpdatedAt, last)
	}
}
