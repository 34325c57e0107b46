package dsp

import "math"

const (
	ln2Hi = 6.93147180369123816490e-01 // ln 2 = ln2Hi + ln2Lo; the product of ln2Hi with a small integer is exact
	ln2Lo = 1.90821492927058770002e-10

	sqrtHalf = 0x3fe6a09e667f3bcd // the bits of √½
)

// Log returns the natural logarithm of x, which must be positive and finite. With x = m·2^k, √½ ≤ m < √2 and s =
// (m−1)/(m+1), it is k·ln 2 + 2·(s + s³/3 + s⁵/5 + …).
func Log(x float64) float64 {
	bits, k := math.Float64bits(x), 0
	if bits < 1<<52 { // a subnormal number
		bits, k = math.Float64bits(x*(1<<52)), -52
	}
	e := int64(bits-sqrtHalf) >> 52
	k += int(e)
	m := math.Float64frombits(bits - uint64(e)<<52)
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := float64(1.0/21*z) + 1.0/19 // a loop over the factors takes twice as long
	p = float64(p*z) + 1.0/17
	p = float64(p*z) + 1.0/15
	p = float64(p*z) + 1.0/13
	p = float64(p*z) + 1.0/11
	p = float64(p*z) + 1.0/9
	p = float64(p*z) + 1.0/7
	p = float64(p*z) + 1.0/5
	p = float64(p*z) + 1.0/3
	tail := float64(2*s*z) * p
	return float64(float64(k)*ln2Hi) + (float64(2*s) + (float64(tail) + float64(float64(k)*ln2Lo)))
}

// Exp returns e^x. With x = k·ln 2 + r, |r| ≤ ½·ln 2, it is 2^k·(1 + r + r²/2! + …). It returns 0 below −700, and at most
// e^700.
func Exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	x = min(x, 700)
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)
	p := float64(1.0/479001600*r) + 1.0/39916800 // as in Log
	p = float64(p*r) + 1.0/3628800
	p = float64(p*r) + 1.0/362880
	p = float64(p*r) + 1.0/40320
	p = float64(p*r) + 1.0/5040
	p = float64(p*r) + 1.0/720
	p = float64(p*r) + 1.0/120
	p = float64(p*r) + 1.0/24
	p = float64(p*r) + 1.0/6
	p = float64(p*r) + 1.0/2
	p = float64(p*r) + 1
	p = float64(p*r) + 1
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// CosTurn returns cos(2π·k/n), the cosine of k/n of a turn. It reduces the angle to at most 45° by symmetry.
func CosTurn(k, n int) float64 {
	k = ((k % n) + n) % n
	if 2*k > n { // cos(2π−a) = cos a
		k = n - k
	}
	if 4*k > n { // cos(π−a) = −cos a, in halves of an n-th
		return -cosSmall(n-2*k, 2*n)
	}
	return cosSmall(2*k, 2*n)
}

// SinTurn returns sin(2π·k/n).
func SinTurn(k, n int) float64 { return CosTurn(4*k-n, 4*n) }

// cosSmall returns cos(2π·k/n) for 0 ≤ 4k ≤ n.
func cosSmall(k, n int) float64 {
	if 8*k > n { // cos a = sin(π/2−a)
		a := float64(2*math.Pi) * (float64(n-4*k) / float64(4*n))
		return taylor(a, [...]float64{1, -6, 120, -5040, 362880, -39916800, 6227020800, -1307674368000}) * a
	}
	a := float64(2*math.Pi) * (float64(k) / float64(n))
	return taylor(a, [...]float64{1, -2, 24, -720, 40320, -3628800, 479001600, -87178291200})
}

// taylor returns Σ a^(2i) / divisors[i].
func taylor(a float64, divisors [8]float64) float64 {
	z, sum := float64(a*a), 0.0
	for i := len(divisors) - 1; i >= 0; i-- {
		sum = float64(sum*z) + 1/divisors[i]
	}
	return sum
}
