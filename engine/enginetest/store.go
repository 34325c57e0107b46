// Package enginetest provides conformance suites for the engine's ports. Start here when you implement a port, such as a
// Store on your own database: call the port's suite from a test of your package.
//
//	func TestStore(t *testing.T) {
//		enginetest.TestStore(t, func(t *testing.T) engine.Store { return memory.NewStore() })
//	}
//
// Each subtest is named after the claim that it checks. Where engine/ports.go leaves a question open, the suite decides.
package enginetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// storeCase is one claim about every Store.
type storeCase struct {
	claim string
	check func(t *testing.T, s engine.Store)
}

// TestStore checks an implementation of engine.Store. Each subtest calls open, which must return an empty store.
func TestStore(t *testing.T, open func(t *testing.T) engine.Store) {
	t.Helper()
	for _, c := range slices.Concat(
		rowCases(), transactionCases(), raceCases(), listCases(), contentCases(), editCases(), webhookCases(), userCases(), recordingCases(), tagCases(), deletionCases(), titleCases(), searchCases(),
		jobCases(), queueCases(), skipCases(), eventCases(), joiningCases(), operatorCases(),
	) {
		t.Run(c.claim, func(t *testing.T) {
			t.Parallel()
			c.check(t, open(t))
		})
	}
}

// update runs fn in an Update.
func update(t *testing.T, s engine.Store, fn func(engine.Tx) error) {
	t.Helper()
	require.NoError(t, s.Update(t.Context(), fn))
}

// write commits values with put.
func write[T any](t *testing.T, s engine.Store, put func(engine.Tx, T) error, values ...T) {
	t.Helper()
	update(t, s, func(tx engine.Tx) error {
		var errs []error
		for _, v := range values {
			errs = append(errs, put(tx, v))
		}
		return errors.Join(errs...)
	})
}

// read returns the result of fn in a View.
func read[T any](t *testing.T, s engine.Store, fn func(engine.ReadTx) (T, error)) T {
	t.Helper()
	v, err := tryRead(t, s, fn)
	require.NoError(t, err)
	return v
}

// tryRead is read for functions that may fail.
func tryRead[T any](t *testing.T, s engine.Store, fn func(engine.ReadTx) (T, error)) (v T, err error) {
	t.Helper()
	err = s.View(t.Context(), func(tx engine.ReadTx) (err error) {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// requireCode fails the test unless err has the given code.
func requireCode(t *testing.T, want engine.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, engine.CodeOf(err), "%v", err)
}

// at returns a time that every store keeps exactly: in UTC, with whole microseconds.
func at(seconds int) time.Time {
	return time.Date(2026, time.March, 4, 5, 6, 7, 987_654_000, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// ids returns the ids of a list.
func ids[T any, ID ~string](rows []T, id func(T) ID) []string {
	out := []string{}
	for _, row := range rows {
		out = append(out, string(id(row)))
	}
	return out
}

// concurrently runs fn n times concurrently and returns the joined errors.
func concurrently(n int, fn func(i int) error) error {
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- fn(i) }()
	}
	var all []error
	for range n {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}
