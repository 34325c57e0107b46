// Package blobs keeps the blobs of a server's worlds that nobody wants to keep: one [Shelf] has the bytes of all worlds, and each
// world has an index of its own, [Blobs], which is forked in a moment whatever is in it. Bytes never change once they are on the
// shelf, so worlds share them; those that no index has any more are removed when the garbage collector finds that out.
package blobs
