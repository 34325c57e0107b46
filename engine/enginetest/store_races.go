package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// raceCases returns the claims about the isolation of concurrent updates and views.
func raceCases() []storeCase {
	return []storeCase{
		{"fifty concurrent updates number recordings without gaps or duplicates", numbersWithoutGaps},
		{"concurrent workers claim each job exactly once", claimsOnce},
		{"exactly one of several updates racing for a row wins", oneWinner},
		{"a view sees one snapshot during updates", viewsSeeOneSnapshot},
		{"lists are consistent during updates", listsStayWhole},
		{"a canceled update is committed completely or not at all", canceledAnytime},
	}
}

func numbersWithoutGaps(t *testing.T, s engine.Store) {
	const n = 50
	write(t, s, engine.Tx.PutSpace, engine.Space{ID: "space"})
	require.NoError(t, concurrently(n, func(i int) error {
		return s.Update(t.Context(), func(tx engine.Tx) error {
			space, err := tx.Space("space")
			if err != nil {
				return err
			}
			space.LastNumber++
			r := newRecording(fmt.Sprintf("r%02d", i), "space", at(i))
			r.Number = space.LastNumber
			return errors.Join(tx.PutRecording(r), tx.PutSpace(space))
		})
	}))
	var numbers, want []int
	for i, r := range listRecordings(t, s, engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, Limit: 2 * n}) {
		numbers, want = append(numbers, r.Number), append(want, i+1)
	}
	slices.Sort(numbers)
	require.Equal(t, want, numbers)
	require.Len(t, numbers, n)
}

func claimsOnce(t *testing.T, s engine.Store) {
	const workers, jobs = 6, 40
	var all []queue.Job
	for i := range jobs {
		j := newJob(fmt.Sprintf("j%02d", i))
		j.Tenant = strconv.Itoa(i % 3)
		all = append(all, j)
	}
	write(t, s, engine.Tx.Enqueue, all...)
	claimed := make([][]queue.Job, workers)
	require.NoError(t, concurrently(workers, func(worker int) error {
		for len(claimed[worker]) <= jobs {
			var j queue.Job
			err := s.Update(t.Context(), func(tx engine.Tx) (err error) {
				if j, err = tx.DueJob("class", at(0), nil); err != nil {
					return err
				}
				j = withStatus(j, queue.Running)
				j.Generation++
				return tx.PutJob(j)
			})
			if engine.CodeOf(err) == engine.CodeNotFound {
				return nil
			}
			if err != nil {
				return err
			}
			claimed[worker] = append(claimed[worker], j)
		}
		return nil
	}))
	seen := map[queue.ID]int{}
	for _, j := range slices.Concat(claimed...) {
		seen[j.ID]++
		require.Equal(t, 1, seen[j.ID], "job %s was claimed again", j.ID)
		require.Equal(t, 1, j.Generation)
	}
	require.Len(t, seen, jobs)
}

func oneWinner(t *testing.T, s engine.Store) {
	write(t, s, engine.Tx.PutUpload, engine.Upload{ID: "upload", Status: engine.UploadStored})
	won := make([]bool, 10)
	require.NoError(t, concurrently(len(won), func(i int) error {
		err := s.Update(t.Context(), func(tx engine.Tx) error {
			u, err := tx.Upload("upload")
			if err != nil {
				return err
			}
			if u.Status != engine.UploadStored {
				return errTest
			}
			return tx.PutUpload(engine.Upload{ID: "upload", Status: engine.UploadUsed, Title: strconv.Itoa(i)})
		})
		if won[i] = err == nil; errors.Is(err, errTest) {
			return nil
		}
		return err
	}))
	winner := slices.Index(won, true)
	require.GreaterOrEqual(t, winner, 0)
	require.NotContains(t, won[winner+1:], true)
	u := read(t, s, func(tx engine.ReadTx) (engine.Upload, error) { return tx.Upload("upload") })
	require.Equal(t, strconv.Itoa(winner), u.Title)
}

// whileWriting runs updates in one goroutine and repeats look in three others until the updates are done.
func whileWriting(t *testing.T, s engine.Store, updates int, change func(tx engine.Tx, i int) error, look func(engine.ReadTx) error) {
	t.Helper()
	done := make(chan struct{})
	require.NoError(t, concurrently(4, func(worker int) error {
		if worker == 0 {
			defer close(done)
			for i := range updates {
				if err := s.Update(t.Context(), func(tx engine.Tx) error { return change(tx, i) }); err != nil {
					return err
				}
			}
			return nil
		}
		for {
			if err := s.View(t.Context(), look); err != nil {
				return err
			}
			select {
			case <-done:
				return nil
			default:
			}
		}
	}))
}

func viewsSeeOneSnapshot(t *testing.T, s engine.Store) {
	put := func(tx engine.Tx, i int) error {
		return errors.Join(
			tx.PutAccount(engine.Account{ID: "first", StorageUsed: int64(i)}),
			tx.PutTranscript(engine.Transcript{ID: "t", Status: engine.TranscriptQueued, SpeakersExpected: i}),
			tx.PutAccount(engine.Account{ID: "last", StorageUsed: int64(i)}),
		)
	}
	update(t, s, func(tx engine.Tx) error { return put(tx, 0) })
	whileWriting(t, s, 60, put, func(tx engine.ReadTx) error {
		first, err1 := tx.Account("first")
		transcript, err2 := tx.Transcript("t")
		last, err3 := tx.Account("last")
		again, err4 := tx.Account("first")
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return err
		}
		if n := first.StorageUsed; n != int64(transcript.SpeakersExpected) || n != last.StorageUsed || n != again.StorageUsed {
			return fmt.Errorf("one view read %d, %d, %d, %d", n, transcript.SpeakersExpected, last.StorageUsed, again.StorageUsed)
		}
		return nil
	})
}

func listsStayWhole(t *testing.T, s engine.Store) {
	change := func(tx engine.Tx, i int) error {
		// Two recordings swap spaces; there are always two.
		a, b := newRecording("a", "one", at(i)), newRecording("b", "two", at(-i))
		if i%2 == 1 {
			a.SpaceID, b.SpaceID = b.SpaceID, a.SpaceID
		}
		j := withStatus(newJob("job"), []queue.Status{queue.Queued, queue.Running, queue.Retrying}[i%3])
		return errors.Join(tx.PutRecording(a), tx.PutRecording(b), tx.PutJob(j))
	}
	update(t, s, func(tx engine.Tx) error { return change(tx, 0) })
	whileWriting(t, s, 60, change, func(tx engine.ReadTx) error {
		rows, err := tx.Recordings(engine.RecordingQuery{Spaces: []engine.SpaceID{"one", "two"}, Limit: 10})
		if err != nil {
			return err
		}
		if len(rows) != 2 || rows[0].ID == rows[1].ID {
			return fmt.Errorf("got %d recordings, want 2: %v", len(rows), rows)
		}
		if _, ok, err := tx.NextJobAt([]queue.Class{"class"}, nil); err != nil || !ok {
			return fmt.Errorf("the job is missing: %w", err)
		}
		return nil
	})
}

func canceledAnytime(t *testing.T, s engine.Store) {
	for i := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		var racer sync.WaitGroup
		racer.Go(func() {
			for range i * i { // cancel later in each round, without a timer
				_ = time.Now()
			}
			cancel()
		})
		ids := []engine.AccountID{engine.AccountID(fmt.Sprint("a", i)), engine.AccountID(fmt.Sprint("b", i))}
		err := s.Update(ctx, func(tx engine.Tx) error {
			return errors.Join(tx.PutAccount(engine.Account{ID: ids[0]}), tx.PutAccount(engine.Account{ID: ids[1]}))
		})
		racer.Wait()
		for _, id := range ids {
			_, missing := tryRead(t, s, func(tx engine.ReadTx) (engine.Account, error) { return tx.Account(id) })
			require.Equal(t, err == nil, missing == nil, "update %d returned %v, account %q: %v", i, err, id, missing)
		}
	}
}
