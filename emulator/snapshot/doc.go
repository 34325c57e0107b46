// Package snapshot is the file that a world of a sandbox is saved to: a zip with manifest.json first, then rows.jsonl, which has all rows
// as memory.Store.Dump writes them, and blobs/1, blobs/2 and so on, which have the bytes of uploads, media and whatever else is kept as
// a file. Equal states of a world give equal bytes.
//
// A snapshot has a version. [Open] reads those of its own version and tells what is wrong with any other file. Nothing in a snapshot is
// believed: names, lengths and hashes are those of the manifest, or the snapshot is refused.
//
// Not in a snapshot: the request log, the webhook laboratory's messages, faults, and what fixtures have bound.
package snapshot
