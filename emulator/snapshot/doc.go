// Package snapshot reads and writes the file that a sandbox's world is saved to.
//
// A snapshot is a zip file. Its first file is manifest.json. rows.jsonl contains the rows, as memory.Store.Dump writes them.
// blobs/1, blobs/2, and so on contain the bytes of uploads, media, and other files. Worlds in the same state give identical bytes.
//
// [NewWriter] and [Writer.Write] save a snapshot, and [Open] reads one. Open trusts nothing: it rejects other versions, and every
// name, length, and hash must match the manifest.
//
//	s, err := snapshot.Open(file, size)
//	rows, err := s.Rows()
//
// A snapshot does not contain the request log, the outbox's messages, faults, or fixture bindings.
package snapshot
