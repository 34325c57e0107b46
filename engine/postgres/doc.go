// Package postgres provides an engine.Store in a PostgreSQL database, which any number of processes share. Start with [Open]:
//
//	store, err := postgres.Open(ctx, "postgres://soundstage@db.example/soundstage")
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
// An Update is a SERIALIZABLE transaction. PostgreSQL ends one of two that don't fit together, and the store runs it again: see retry.go. A
// View is a REPEATABLE READ transaction. Writes are sent together with the next read or at the end, so that an Update costs few round trips.
//
// The jobs of the engine are rows, with lease and generation, and River (github.com/riverqueue/river) delivers them: each time that a row
// begins to wait, a River job is inserted in the same transaction, in the queue of its class and with its time. See river.go.
//
// The clocks of several machines differ, so an engine on this store must use [Store.Clock], which is the server's time.
package postgres
