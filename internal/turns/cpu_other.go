//go:build !unix

package turns

// CPU is Wall where this package can't read the processor time.
func CPU(fn func()) func() float64 { return Wall(fn) }
