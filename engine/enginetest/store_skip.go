package enginetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// skipCases returns the claims about a tenant whose jobs are skipped.
func skipCases() []storeCase {
	return []storeCase{
		{"jobs of a skipped tenant are not due", dueSkips},
		{"a tenant is skipped only in its class", dueSkipsByClass},
		{"jobs without a tenant can be skipped", dueSkipsNoTenant},
		{"jobs of a skipped tenant have no next time", nextSkips},
		{"leases of a skipped tenant have a next time", nextSkipsNoLease},
	}
}

// skipped is the skip argument for one tenant of the class "class".
func skipped(tenant string) map[queue.Class]string { return map[queue.Class]string{"class": tenant} }

func requireDue(t *testing.T, s engine.Store, want string, class queue.Class, now time.Time, skip map[queue.Class]string) {
	t.Helper()
	var got string
	err := s.Update(t.Context(), func(tx engine.Tx) error {
		j, err := tx.DueJob(class, now, skip)
		got = string(j.ID)
		return err
	})
	if want == "" {
		requireCode(t, engine.CodeNotFound, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func requireNextSkipping(t *testing.T, s engine.Store, want time.Time, skip map[queue.Class]string, classes ...queue.Class) {
	t.Helper()
	var at time.Time
	var ok bool
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
		at, ok, err = tx.NextJobAt(classes, skip)
		return err
	}))
	require.Equal(t, !want.IsZero(), ok)
	require.True(t, want.Equal(at), "want %v, got %v", want, at)
}

func dueSkips(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		ofTenant(runAt(newJob("a"), at(-5)), "a"), ofTenant(withStatus(runAt(newJob("a2"), at(-4)), queue.Retrying), "a"),
		ofTenant(runAt(newJob("b"), at(-3)), "b"), ofTenant(runAt(newJob("c"), at(-2)), "c"), ofTenant(runAt(newJob("later"), at(9)), "d"),
		ofTenant(withStatus(newJob("r"), queue.Running), "c"),
	)
	requireDue(t, s, "a", "class", at(0), nil)
	requireDue(t, s, "a", "class", at(0), skipped("nobody"))
	requireDue(t, s, "b", "class", at(0), skipped("a"))
	requireDue(t, s, "a", "class", at(0), skipped("b"))
	write(t, s, engine.Tx.PutJob, ofTenant(withStatus(newJob("b"), queue.Completed), "b"))
	requireDue(t, s, "c", "class", at(0), skipped("a")) // its tenant's running job doesn't matter
	write(t, s, engine.Tx.PutJob, ofTenant(withStatus(newJob("c"), queue.Canceled), "c"))
	requireDue(t, s, "", "class", at(0), skipped("a"))
	requireDue(t, s, "later", "class", at(9), skipped("a"))
}

func dueSkipsByClass(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob, ofTenant(newJob("a"), "a"), ofTenant(inClass(newJob("b"), "other"), "a"))
	requireDue(t, s, "", "class", at(0), skipped("a"))
	requireDue(t, s, "b", "other", at(0), skipped("a"))
	requireDue(t, s, "", "class", at(0), map[queue.Class]string{"other": "b", "class": "a"})
}

func dueSkipsNoTenant(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob, ofTenant(runAt(newJob("nobody's"), at(-1)), ""), ofTenant(newJob("b"), "b"))
	requireDue(t, s, "nobody's", "class", at(0), nil)
	requireDue(t, s, "b", "class", at(0), skipped(""))
	requireNextSkipping(t, s, at(0), skipped(""), "class")
	requireNextSkipping(t, s, at(-1), skipped("b"), "class")
}

func nextSkips(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob,
		ofTenant(runAt(newJob("a"), at(1)), "a"), ofTenant(runAt(newJob("b2"), at(4)), "b"), ofTenant(runAt(newJob("b"), at(3)), "b"),
		ofTenant(runAt(newJob("c"), at(2)), "c"), ofTenant(withStatus(runAt(newJob("over"), at(0)), queue.Failed), "d"),
		ofTenant(inClass(runAt(newJob("other"), at(7)), "other"), "a"),
	)
	requireNextSkipping(t, s, at(1), nil, "class", "other")
	requireNextSkipping(t, s, at(2), skipped("a"), "class", "other")
	requireNextSkipping(t, s, at(1), skipped("c"), "class", "other")
	requireNextSkipping(t, s, at(7), skipped("a"), "other")
	requireNextSkipping(t, s, at(1), map[queue.Class]string{"other": "a"}, "class", "other")
	write(t, s, engine.Tx.PutJob, ofTenant(withStatus(newJob("c"), queue.Completed), "c"))
	requireNextSkipping(t, s, at(3), skipped("a"), "class")
	write(t, s, engine.Tx.PutJob, ofTenant(withStatus(newJob("b"), queue.Completed), "b"), ofTenant(withStatus(newJob("b2"), queue.Completed), "b"))
	requireNextSkipping(t, s, time.Time{}, skipped("a"), "class")
	requireNextSkipping(t, s, time.Time{}, map[queue.Class]string{"class": "a", "other": "a"}, "class", "other")
}

func nextSkipsNoLease(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutJob, ofTenant(leasedUntil(newJob("r"), at(9)), "a"), ofTenant(runAt(newJob("a"), at(1)), "a"))
	requireNextSkipping(t, s, at(9), skipped("a"), "class")
	requireNextSkipping(t, s, at(9), skipped("a"))
}
