package enginetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// rowCases returns the claims about writing and reading single rows.
func rowCases() []storeCase {
	return []storeCase{
		{"the samples set every field of every noun", samplesAreWhole},
		{"a row is returned as it was put", rowsRoundTrip},
		{"Put replaces the whole row", putReplaces},
		{"a missing row is CodeNotFound", rowsNotFound},
		{"a transaction reads its own writes", readsOwnWrites},
		{"changing a value after Put doesn't change the store", putCopies},
		{"changing a value after reading it doesn't change the store", getCopies},
		{"times are returned in UTC", timesInUTC},
	}
}

func samplesAreWhole(t *testing.T, _ engine.Store) {
	for _, r := range rows() {
		v := reflect.ValueOf(r.whole)
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s.%s", r.noun, v.Type().Field(i).Name)
		}
	}
}

func rowsRoundTrip(t *testing.T, s engine.Store) {
	for _, r := range rows() {
		for _, want := range []any{r.bare, r.whole} {
			write(t, s, r.put, want)
			require.Equal(t, want, read(t, s, r.get), r.noun)
		}
	}
}

func putReplaces(t *testing.T, s engine.Store) {
	for _, r := range rows() {
		write(t, s, r.put, r.whole, r.bare)
		require.Equal(t, r.bare, read(t, s, r.get), r.noun)
	}
}

func rowsNotFound(t *testing.T, s engine.Store) {
	for _, r := range rows() {
		_, err := tryRead(t, s, r.get)
		requireCode(t, engine.CodeNotFound, err)
		requireCode(t, engine.CodeNotFound, s.Update(t.Context(), func(tx engine.Tx) error {
			_, err := r.get(tx)
			return err
		}))
	}
	_, err := tryRead(t, s, func(tx engine.ReadTx) (queue.Job, error) { return tx.JobByKey("key") })
	requireCode(t, engine.CodeNotFound, err)
}

func readsOwnWrites(t *testing.T, s engine.Store) {
	update(t, s, func(tx engine.Tx) error {
		for _, r := range rows() {
			if err := r.put(tx, r.whole); err != nil {
				return err
			}
			got, err := r.get(tx)
			if err != nil {
				return err
			}
			require.Equal(t, r.whole, got, r.noun)
		}
		return nil
	})
}

func putCopies(t *testing.T, s engine.Store) {
	given := rows()
	for i, r := range rows() {
		write(t, s, r.put, given[i].whole)
		overwriteShared(reflect.ValueOf(given[i].whole))
		require.Equal(t, r.whole, read(t, s, r.get), r.noun)
	}
}

func getCopies(t *testing.T, s engine.Store) {
	for _, r := range rows() {
		write(t, s, r.put, r.whole)
		overwriteShared(reflect.ValueOf(read(t, s, r.get)))
		require.Equal(t, r.whole, read(t, s, r.get), r.noun)
	}
}

// overwriteShared overwrites everything that v shares with its copies: the contents of slices, maps, and pointers.
func overwriteShared(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			overwriteShared(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwriteShared(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, reflect.Value{})
		}
	case reflect.Pointer:
		if !v.IsNil() {
			overwriteShared(v.Elem())
			v.Elem().SetZero()
		}
	default:
	}
}

func timesInUTC(t *testing.T, s engine.Store) {
	given := rows()
	for i, r := range rows() {
		v := reflect.New(reflect.TypeOf(given[i].whole)).Elem()
		v.Set(reflect.ValueOf(given[i].whole))
		moveTimes(v, time.FixedZone("Nepal", 5*3600+45*60))
		write(t, s, r.put, v.Interface())
		require.Equal(t, r.whole, read(t, s, r.get), r.noun)
	}
}

// moveTimes converts every time in v to a zone.
func moveTimes(v reflect.Value, zone *time.Location) {
	switch at, _ := v.Interface().(time.Time); {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(at.In(zone)))
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			moveTimes(v.Field(i), zone)
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			moveTimes(v.Index(i), zone)
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		moveTimes(v.Elem(), zone)
	}
}
