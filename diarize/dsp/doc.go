// Package dsp is the signal processing and the numerical mathematics that diarization stands on: slices in, slices out.
//
// Everything in it gives the same bits on every machine. Two things would break that in Go: the compiler may fuse x*y + z
// into one rounding where the processor can (arm64, GOAMD64=v3), and math.Exp, Log, Sin and Cos differ in the last bit
// between processors. So products are rounded explicitly before they are summed, float64(x*y) + z (the language
// specification, "Floating-point operators"), and Exp, Log and CosTurn of this package take the place of the math
// package's.
package dsp
