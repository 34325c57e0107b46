//go:build !race

package slow

// Raced says that the race detector is on.
const Raced = false
