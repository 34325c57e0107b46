// Package live keeps what happens in each world of a sandbox, for streams that follow it. A [Feed] is the history of one world by name: it
// outlives resets, which replace the world. The world writes to it through its [Source]; streams read with a [Reader]:
//
//	r, err := feed.Open(after, types)
//	defer r.Close()
//	for {
//		b := r.Next()
//		// send b.Lost and b.Messages, then wait for b.Changed
//	}
//
// A Feed records nothing until its first Reader, and forgets everything when there has been none for a while. A Reader that is too slow
// delays nobody: it misses messages and learns which.
package live
