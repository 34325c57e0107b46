package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/search"
)

var spaces = []engine.SpaceID{"0", "1", "2"}

// writeSome writes random recordings and a document, some of them moved to another space, all with the given number.
func writeSome(s engine.Store, dice *rand.Rand, number int) error {
	return s.Update(context.Background(), func(tx engine.Tx) error {
		var errs []error
		for range 5 {
			r := engine.Recording{
				ID: engine.RecordingID(fmt.Sprint(dice.IntN(300))), SpaceID: spaces[dice.IntN(3)], Number: number, CreatedAt: time.Unix(int64(dice.IntN(50)), 0),
			}
			errs = append(errs, tx.PutRecording(r))
		}
		d := search.Document{ID: search.DocumentID(fmt.Sprint(dice.IntN(100))), SpaceID: "0", Kind: search.DocumentContent, Length: number}
		terms := map[string][]int{}
		for range 20 {
			terms[fmt.Sprint(dice.IntN(60))] = []int{number}
		}
		errs = append(errs, tx.PutDocument(d, terms), tx.PutRecording(engine.Recording{ID: "number", SpaceID: "0", Number: number}))
		return errors.Join(errs...)
	})
}

// state returns everything that a transaction reads of the rows of writeSome.
func state(tx engine.ReadTx) (string, error) {
	var all strings.Builder
	rows, err := tx.Recordings(engine.RecordingQuery{Spaces: spaces, Limit: 1000})
	fmt.Fprint(&all, rows)
	for term := range 60 {
		found, failed := tx.Postings(search.PostingQuery{Spaces: []string{"0", "1", "2"}, Kind: search.DocumentContent, Term: fmt.Sprint(term)})
		fmt.Fprint(&all, found)
		err = errors.Join(err, failed)
	}
	return all.String(), err
}

func stateOf(t *testing.T, s engine.Store) (seen string) {
	t.Helper()
	require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) (err error) {
		seen, err = state(tx)
		return err
	}))
	return seen
}

// A View reads one version to its end, and neither Views nor Updates wait for each other: each View here contains Updates.
func TestViewReadsItsVersion(t *testing.T) {
	t.Parallel()
	s, dice := memory.NewStore(), rand.New(rand.NewPCG(1, 2))
	for number := range 100 {
		require.NoError(t, writeSome(s, dice, number))
	}
	for number := range 30 {
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
			before, err := state(tx)
			require.NoError(t, err)
			for range 10 {
				require.NoError(t, writeSome(s, dice, number))
			}
			require.NotEqual(t, before, stateOf(t, s))
			after, err := state(tx)
			require.Equal(t, before, after)
			return err
		}))
	}
}

// Readers of old versions, writers of a store, and writers of its forks share no mutable memory (for the race detector).
func TestVersionsRace(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	for number := range 50 {
		require.NoError(t, writeSome(s, rand.New(rand.NewPCG(3, 4)), number))
	}
	var group sync.WaitGroup
	write := func(s *memory.Store, seed uint64) {
		dice := rand.New(rand.NewPCG(seed, 5))
		for number := range 60 {
			if err := writeSome(s, dice, number); err != nil {
				t.Error(err)
			}
		}
	}
	read := func(s *memory.Store) {
		for range 10 {
			err := s.View(context.Background(), func(tx engine.ReadTx) error {
				before, err := state(tx)
				runtime.Gosched()
				if after, _ := state(tx); after != before {
					t.Error("a version changed while it was read")
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
	for seed := range uint64(3) {
		group.Go(func() { write(s, seed) })
		group.Go(func() { write(s.Fork(), seed) })
		group.Go(func() { read(s) })
		group.Go(func() { fork := s.Fork(); write(fork.Fork(), seed); read(fork) })
	}
	group.Wait()
}

// A fork starts with the rows of its store; afterwards the two are independent.
func TestFork(t *testing.T) {
	t.Parallel()
	s, dice := filled(t, 1), rand.New(rand.NewPCG(1, 2))
	before := dump(t, s)
	fork := s.Fork()
	require.Equal(t, string(before), string(dump(t, fork)))

	require.NoError(t, writeSome(s, dice, 1))
	require.Equal(t, string(before), string(dump(t, fork)))
	changed := dump(t, s)
	require.NotEqual(t, string(before), string(changed))
	require.NoError(t, writeSome(fork, dice, 2))
	require.Equal(t, string(changed), string(dump(t, s)))
	require.NotEqual(t, string(changed), string(dump(t, fork)))
}

// A fork doesn't contain the writes of an unfinished Update, and neither Fork nor View waits for it.
func TestForkDuringUpdate(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	var fork *memory.Store
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		err := tx.PutUser(engine.User{ID: "u"})
		fork = s.Fork()
		require.Empty(t, fork.Rows())
		require.NoError(t, fork.Update(t.Context(), func(tx engine.Tx) error { return tx.PutUser(engine.User{ID: "forked"}) }))
		return errors.Join(err, s.View(t.Context(), func(tx engine.ReadTx) error {
			_, err := tx.User("u")
			require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
			return nil
		}))
	}))
	require.Len(t, s.Rows()["users"], 1)
	require.Len(t, fork.Rows()["users"], 1)
	require.NotEqual(t, s.Rows(), fork.Rows())
}

// An Update that returns an error, panics, or exits leaves the store unchanged, byte for byte.
func TestFailedUpdateIsDropped(t *testing.T) {
	t.Parallel()
	s, other := filled(t, 1), filled(t, 2)
	before, broken := dump(t, s), errors.New("on purpose")
	for name, fail := range map[string]func() error{
		"error":  func() error { return broken },
		"panic":  func() error { panic(broken) },
		"goexit": func() error { runtime.Goexit(); return nil },
	} {
		done := make(chan any)
		go func() {
			defer func() { done <- recover() }()
			_ = s.Update(context.Background(), func(tx engine.Tx) error {
				for _, row := range other.Rows()["recordings"] {
					if err := tx.PutRecording(*row.(*engine.Recording)); err != nil {
						return err
					}
				}
				if err := tx.PutDocument(search.Document{ID: "d"}, map[string][]int{"a": {1}}); err != nil {
					return err
				}
				return fail()
			})
		}()
		<-done
		require.Equal(t, string(before), string(dump(t, s)), name)
	}
	require.NoError(t, writeSome(s, rand.New(rand.NewPCG(1, 2)), 1), "the store can still be written")
}

// Modifying a row that was read doesn't change the store.
func TestRowsAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	s := filled(t, 3)
	before := dump(t, s)
	for _, rows := range s.Rows() {
		for _, row := range rows {
			overwrite(row)
		}
	}
	require.Equal(t, string(before), string(dump(t, s)))
}

// Forks and empty stores are small: 1000 of each take less than 20 MB.
func TestStoresAreSmall(t *testing.T) {
	s := filled(t, 1)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	all := make([]*memory.Store, 0, 2000)
	for range 1000 {
		all = append(all, s.Fork(), memory.NewStore())
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(all)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(20<<20))
}

// overwrite overwrites everything that a row points to.
func overwrite(row any) { overwriteValue(reflect.ValueOf(row).Elem()) }

func overwriteValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			overwriteValue(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwriteValue(v.Index(i))
		}
	case reflect.Map:
		if v.CanSet() && !v.IsNil() {
			v.Clear()
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			overwriteValue(v.Field(i))
		}
	default:
		v.SetZero()
	}
}
