package enginetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// writers is how many goroutines write at once in the cases of TestSharedStore.
const writers = 16

// TestSharedStore checks what only several users of one store can show. open returns an empty store twice: as two processes have it, or the
// same value for a store that one process has alone.
func TestSharedStore(t *testing.T, open func(t *testing.T) (one, other engine.Store)) {
	t.Helper()
	for claim, check := range map[string]func(*testing.T, []engine.Store){
		"a job is claimed once":                             claimedOnce,
		"a write of an older generation is refused":         fenced,
		"recordings are numbered without gaps":              numberedWithoutGaps,
		"uploads never exceed the storage of their account": quotaHolds,
		"one of several rows with a unique key is written":  uniqueKey,
		"what one has committed, the other reads":           readsCommitted,
		"a decision on what is missing is made once":        missingOnce,
		"events of several are numbered without gaps":       eventsOfSeveral,
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			one, other := open(t)
			check(t, []engine.Store{one, other})
		})
	}
}

// claimNext leases the next job of a class to an owner, as a queue does.
func claimNext(t *testing.T, s engine.Store, class queue.Class, owner string) (j queue.Job, err error) {
	err = s.Update(t.Context(), func(tx engine.Tx) (err error) {
		if j, err = tx.DueJob(class, at(100), nil); err != nil {
			return err
		}
		j.Status, j.LeaseOwner, j.LeaseUntil = queue.Running, owner, at(200)
		j.Generation++
		return tx.PutJob(j)
	})
	return j, err
}

func claimedOnce(t *testing.T, stores []engine.Store) {
	const jobs = 40
	for i := range jobs {
		write(t, stores[i%2], engine.Tx.Enqueue, newJob(fmt.Sprintf("%02d", i)))
	}
	claimed := make(chan string, 2*jobs)
	require.NoError(t, concurrently(writers, func(i int) error {
		for {
			j, err := claimNext(t, stores[i%2], "class", fmt.Sprint(i))
			if engine.CodeOf(err) == engine.CodeNotFound {
				return nil
			}
			if err != nil {
				return err
			}
			claimed <- string(j.ID)
		}
	}))
	close(claimed)
	var got []string
	for id := range claimed {
		got = append(got, id)
	}
	slices.Sort(got)
	require.Len(t, slices.Compact(got), jobs)
	require.Len(t, got, jobs)
}

func fenced(t *testing.T, stores []engine.Store) {
	write(t, stores[0], engine.Tx.Enqueue, newJob("job"))
	first, err := claimNext(t, stores[0], "class", "first")
	require.NoError(t, err)
	update(t, stores[1], func(tx engine.Tx) error { // its lease ran out
		j, err := tx.Job("job")
		j = withStatus(j, queue.Queued)
		j.Generation++
		return errors.Join(err, tx.PutJob(j))
	})
	second, err := claimNext(t, stores[1], "class", "second")
	require.NoError(t, err)
	require.Greater(t, second.Generation, first.Generation)
	err = stores[0].Update(t.Context(), func(tx engine.Tx) error {
		j, err := tx.Job("job")
		if err != nil || j.Generation != first.Generation {
			return errors.Join(err, errTest)
		}
		return tx.PutJob(withStatus(j, queue.Completed))
	})
	require.ErrorIs(t, err, errTest)
	now := read(t, stores[0], func(tx engine.ReadTx) (queue.Job, error) { return tx.Job("job") })
	require.Equal(t, second, now)
}

func numberedWithoutGaps(t *testing.T, stores []engine.Store) {
	const each = 5
	write(t, stores[0], engine.Tx.PutSpace, engine.Space{ID: "space", CreatedAt: at(0)})
	require.NoError(t, concurrently(writers, func(i int) error {
		for n := range each {
			if err := stores[i%2].Update(t.Context(), func(tx engine.Tx) error {
				space, err := tx.Space("space")
				if err != nil {
					return err
				}
				space.LastNumber++
				r := newRecording(fmt.Sprintf("%d-%d", i, n), "space", at(i))
				r.Number = space.LastNumber
				return errors.Join(tx.PutSpace(space), tx.PutRecording(r))
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	var got []int
	for _, r := range listRecordings(t, stores[1], engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Limit: 1000}) {
		got = append(got, r.Number)
	}
	slices.Sort(got)
	require.Len(t, got, writers*each)
	require.Equal(t, 1, got[0])
	require.Equal(t, writers*each, got[len(got)-1])
	require.Len(t, slices.Compact(got), writers*each)
}

func quotaHolds(t *testing.T, stores []engine.Store) {
	const limit, size = 10, 1
	write(t, stores[0], engine.Tx.PutAccount, engine.Account{ID: "account", StorageHardLimit: limit, CreatedAt: at(0)})
	require.NoError(t, concurrently(2*writers, func(i int) error {
		err := stores[i%2].Update(t.Context(), func(tx engine.Tx) error {
			a, err := tx.Account("account")
			if err != nil {
				return err
			}
			if a.StorageUsed += size; a.StorageUsed > a.StorageHardLimit {
				return errTest
			}
			u := engine.Upload{ID: engine.UploadID(fmt.Sprint(i)), AccountID: "account", Size: size, Status: engine.UploadReserved, CreatedAt: at(i), ExpiresAt: at(i)}
			return errors.Join(tx.PutAccount(a), tx.PutUpload(u))
		})
		if errors.Is(err, errTest) {
			return nil
		}
		return err
	}))
	a := read(t, stores[1], func(tx engine.ReadTx) (engine.Account, error) { return tx.Account("account") })
	require.Equal(t, int64(limit), a.StorageUsed)
	stored := 0
	for i := range 2 * writers {
		_, err := tryRead(t, stores[0], func(tx engine.ReadTx) (engine.Upload, error) { return tx.Upload(engine.UploadID(fmt.Sprint(i))) })
		if err == nil {
			stored++
		}
	}
	require.Equal(t, limit, stored)
}

func uniqueKey(t *testing.T, stores []engine.Store) {
	errs := make([]error, writers)
	_ = concurrently(writers, func(i int) error {
		errs[i] = stores[i%2].Update(t.Context(), func(tx engine.Tx) error {
			return tx.PutKey(engine.Key{ID: engine.KeyID(fmt.Sprint(i)), UserID: "user", Hash: sampleHash, Tier: engine.TierCore, CreatedAt: at(i)})
		})
		return nil
	})
	written := 0
	for _, err := range errs {
		if err == nil {
			written++
			continue
		}
		requireCode(t, engine.CodeConflict, err)
	}
	require.Equal(t, 1, written)
}

func readsCommitted(t *testing.T, stores []engine.Store) {
	for i := range 50 {
		space := engine.Space{ID: "space", LastNumber: i, CreatedAt: at(0)}
		write(t, stores[i%2], engine.Tx.PutSpace, space)
		require.Equal(t, space, read(t, stores[1-i%2], func(tx engine.ReadTx) (engine.Space, error) { return tx.Space("space") }))
	}
}

func missingOnce(t *testing.T, stores []engine.Store) {
	added := make(chan int, writers)
	require.NoError(t, concurrently(writers, func(i int) error {
		wrote := false
		err := stores[i%2].Update(t.Context(), func(tx engine.Tx) error {
			wrote = false
			_, err := tx.RecordingByExternalID("space", "external")
			if engine.CodeOf(err) != engine.CodeNotFound {
				return err
			}
			r := newRecording(fmt.Sprint(i), "space", at(i))
			r.Number, r.ExternalID, wrote = i+1, "external", true
			return tx.PutRecording(r)
		})
		if err == nil && wrote {
			added <- i
		}
		return err
	}))
	require.Len(t, added, 1)
}

func eventsOfSeveral(t *testing.T, stores []engine.Store) {
	const each = 5
	start := time.Now()
	require.NoError(t, concurrently(writers, func(i int) error {
		for n := range each {
			if err := stores[i%2].Update(t.Context(), func(tx engine.Tx) error {
				_, err := tx.AppendEvent(engine.Event{At: at(n), RecordingID: engine.RecordingID(fmt.Sprint(i))})
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	}))
	t.Logf("%d events in %v", writers*each, time.Since(start))
	events := read(t, stores[0], func(tx engine.ReadTx) ([]engine.Event, error) { return tx.Events(0, 1000) })
	require.Len(t, events, writers*each)
	for i, v := range events {
		require.Equal(t, int64(i+1), v.Number)
	}
}
