//go:build race

package diarize_test

// raced says that the race detector slows everything down tenfold. There are no goroutines to find races between, so the
// long tests are left to the ordinary run.
const raced = true
