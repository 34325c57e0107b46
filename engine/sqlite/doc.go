// Package sqlite provides an engine.Store in one SQLite file, so that rows and jobs survive a restart. Start with [Open]:
//
//	store, err := sqlite.Open(ctx, "data/soundstage.db")
//	if err != nil {
//		return err
//	}
//	defer store.Close()
//
// A committed Update is on the disk: the file uses WAL mode with synchronous=FULL, and Open checks both. One connection
// writes, several read, and each View sees one snapshot. Only one process can open the file at a time, so after a restart the
// engine can resume the previous process's jobs immediately.
//
// An Update waits for the writing connection, runs BEGIN IMMEDIATE and fn, and then COMMIT, which returns when the log is on
// the disk. Updates that wait for each other share the transaction and the wait for the disk: see group.go. After the first
// failed statement, every later one fails. The context is checked only before BEGIN: canceling a statement inside a transaction
// would silently end the transaction, and later statements would be committed one by one (go-sqlite3 issues 681 and 769).
//
// Each row has a checksum, which every read compares: see sum.go. Open checks the whole file for damage, or starts a check in the
// background if the file is large. [Store.Health] reports damage, and files that were deleted or replaced while they were open.
//
// With cgo the driver is mattn/go-sqlite3: SQLite in C. Without cgo it is modernc.org/sqlite: the same SQLite translated to
// Go. Both run the same statements and read each other's files.
package sqlite
