package memory

import (
	"reflect"
	"strings"
)

// Rows returns all rows of the store by table, as a dump has them, for tests that compare two stores.
func (s *Store) Rows() map[string][]any {
	tx := &readTx{tables: schema, now: *s.latest.Load()}
	all := map[string][]any{}
	for _, k := range kinds {
		_ = k.each(tx, func(row any) error {
			all[k.table()] = append(all[k.table()], row)
			return nil
		})
	}
	return all
}

// Tables returns how many tables a store has.
func Tables() (n int) {
	fields := reflect.TypeFor[tables]()
	for i := range fields.NumField() {
		if strings.HasPrefix(fields.Field(i).Type.String(), "*memory.table[") {
			n++
		}
	}
	return n
}

// Kinds returns the tables of a dump, in its order.
func Kinds() (names []string) {
	for _, k := range kinds {
		names = append(names, k.table())
	}
	return names
}
