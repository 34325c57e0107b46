package memory

import (
	"reflect"
	"strings"
)

// Rows returns all rows of the store by table, in the form of a dump, so that tests can compare stores.
func (s *Store) Rows() map[string][]any {
	tx := &readTx{tables: schema, current: *s.latest.Load()}
	all := map[string][]any{}
	for _, k := range dumpCodecs {
		_ = k.each(tx, func(row any) error {
			all[k.table()] = append(all[k.table()], row)
			return nil
		})
	}
	return all
}

// Tables returns the number of tables of a store, without that of links, which follow from the chats.
func Tables() (n int) {
	fields := reflect.TypeFor[tables]()
	for i := range fields.NumField() {
		if strings.HasPrefix(fields.Field(i).Type.String(), "*memory.table[") && fields.Field(i).Name != "chatLinks" {
			n++
		}
	}
	return n
}

// DumpTables returns the tables of a dump, in order.
func DumpTables() (names []string) {
	for _, k := range dumpCodecs {
		names = append(names, k.table())
	}
	return names
}
