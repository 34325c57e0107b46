//go:build race

package slow

// Raced is true under the race detector.
const Raced = true
