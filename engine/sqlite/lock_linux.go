package sqlite

// locksDatabase is true where a lock of flock(2) doesn't affect SQLite's own locks, which are those of fcntl(2), in the same file.
// Only Linux promises that.
const locksDatabase = true
