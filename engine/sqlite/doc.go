// Package sqlite is an engine.Store in one SQLite file: rows and jobs survive a restart. Start with Open.
//
// What was acknowledged is on the disk: the file is in WAL mode with synchronous=FULL, and both are checked when it is
// opened. One connection writes, a few read, and each View sees one snapshot. One process has the file open at a time, so
// a restart takes up the jobs of the process before at once.
//
// Life of an Update: wait for the writing connection; BEGIN IMMEDIATE; run fn, whose first failed statement makes every
// later one fail; COMMIT, which returns when the log is on the disk. The context is looked at before BEGIN and never
// again: a statement that is canceled inside a transaction would end the transaction without a word, and what follows
// would be committed piece by piece (go-sqlite3 issues 681 and 769).
//
// With cgo the driver is mattn/go-sqlite3, SQLite in C. Without cgo it is modernc.org/sqlite, the same SQLite translated to
// Go. Both run the same statements on the same file: a program built one way opens what one built the other way wrote.
package sqlite
