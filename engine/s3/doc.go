// Package s3 stores blobs in a bucket of an S3-compatible object store, and signs the URLs with which clients send and read them. Start
// with Open:
//
//	blobs, err := s3.Open(ctx, "s3://media/production?endpoint=https://s3.example.com&region=eu-1", s3.Options{})
//
// The blob "uploads/a" is the object "uploads/a!" below the prefix. No key contains '!', so the object of a blob is never the folder of
// another one, which stores on file systems refuse; and '!' sorts before every character of a key, so objects have the order of keys.
//
// The object's user metadata have the SHA-256, the content type, and the time of the blob. A blob of several parts is sent before its
// SHA-256 is known, so its metadata name a second object, "uploads/a!ID", which has the SHA-256 and is written before the blob becomes
// visible. Bytes that a client sent to a signed address have no such metadata; their SHA-256 is the checksum that the store verified, or
// unknown.
//
// Requests that fail because of the network or a busy store are repeated with growing pauses. After Options.Attempts the error is
// CodeUnavailable and retryable. A full store is CodeNoSpace.
package s3
