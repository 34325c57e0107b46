// Package sqlite keeps the rows and the jobs of an engine in one SQLite file: the engine.Store of whoever wants to find
// everything again after a restart.
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
// The package needs cgo. Without it there is nothing here but this comment.
package sqlite
