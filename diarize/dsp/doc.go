// Package dsp has the signal processing and numerical mathematics of diarization. Functions take and return slices:
//
//	power := make([]float64, 257)
//	dsp.NewFFT(512).Power(power, samples)
//
// Results are identical to the last bit on every machine. Two things would break that in Go. The compiler may fuse x*y + z
// into one rounding where the processor can (arm64, GOAMD64=v3). And math.Exp, Log, Sin and Cos differ in the last bit
// between processors. So products are rounded explicitly before they are added, float64(x*y) + z (Go specification,
// "Floating-point operators"), and this package has its own Exp, Log and CosTurn.
package dsp
