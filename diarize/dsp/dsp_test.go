package dsp_test

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/soundstage-dev/soundstage/diarize/dsp"
	"github.com/stretchr/testify/require"
)

func TestElementaryFunctions(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		// Log and Exp agree with package math to a few units in the last place, over their whole range.
		x := math.Exp(rng.Float64()*1400 - 700)
		require.InDelta(t, math.Log(x), dsp.Log(x), 1e-15*max(1, math.Abs(math.Log(x))))
		y := rng.Float64()*1398 - 699
		require.InEpsilon(t, math.Exp(y), dsp.Exp(y), 1e-15*max(2, math.Abs(y)/100))
		// CosTurn and SinTurn agree with package math for any fraction of a turn.
		k, n := rng.IntN(20001)-10000, rng.IntN(3000)+1
		require.InDelta(t, math.Cos(2*math.Pi*float64(k)/float64(n)), dsp.CosTurn(k, n), 1e-11)
		require.InDelta(t, math.Sin(2*math.Pi*float64(k)/float64(n)), dsp.SinTurn(k, n), 1e-11)
	}
	// The ends of the range give finite values.
	require.InDelta(t, -1074*math.Ln2, dsp.Log(5e-324), 1e-12)
	require.Zero(t, dsp.Exp(-1e9))
	require.False(t, math.IsInf(dsp.Exp(1e9), 0))
	// Quarter turns are exact.
	require.Equal(t, []float64{1, 0, -1, 0}, []float64{dsp.CosTurn(0, 8), dsp.CosTurn(2, 8) + 0, dsp.CosTurn(4, 8), -dsp.CosTurn(6, 8)})
}

// Power is the squared magnitude of the discrete Fourier transform, computed here by its definition.
func TestFFTIsTheDefinition(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{4, 8, 64, 512} {
		for _, filled := range []int{n, n - 3, 1, 0} {
			x, power := make([]float64, filled), make([]float64, n/2+1)
			for i := range x {
				x[i] = rng.Float64()*2 - 1
			}
			dsp.NewFFT(n).Power(power, x)
			for k, p := range power {
				var sum complex128
				for i, v := range x {
					sum += complex(v, 0) * cmplx.Exp(complex(0, -2*math.Pi*float64(k*i)/float64(n)))
				}
				require.InDelta(t, real(sum)*real(sum)+imag(sum)*imag(sum), p, 1e-9)
			}
		}
	}
	// A length that isn't a power of two panics.
	require.Panics(t, func() { dsp.NewFFT(400) })
}

func TestWindowAndMel(t *testing.T) {
	t.Parallel()
	// The Hamming window starts and ends at 0.08 and is 1 in the middle.
	w := dsp.Hamming(401)
	require.InDeltaSlice(t, []float64{0.08, 1, 0.08}, []float64{w[0], w[200], w[400]}, 1e-12)
	// 1000 Hz is about 1000 mel, and Hertz is the inverse of Mel.
	require.InDelta(t, 999.99, dsp.Mel(1000), 0.01)
	require.InDelta(t, 3456.0, dsp.Hertz(dsp.Mel(3456)), 1e-9)
	// Between the first and the last centre, neighbouring triangles add up to a flat response.
	filters := dsp.NewMelFilters(30, 512, 16000, 60, 7600)
	for bin := 20; bin < 200; bin++ {
		power, energies := make([]float64, 257), make([]float64, 30)
		power[bin] = 1
		filters.Apply(energies, power)
		sum := 0.0
		for _, e := range energies {
			sum += e
		}
		require.InDelta(t, 1, sum, 0.35, "bin %d", bin)
	}
}

// The complete DCT preserves lengths, can be inverted, and a constant has only the first coefficient.
func TestDCTIsOrthonormal(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	x, c := make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	dct := dsp.NewDCT(30, 30)
	dct.Apply(c, x)
	require.InDelta(t, dsp.Dot(x, x), dsp.Dot(c, c), 1e-9)
	back := []float64{29: 1}
	dct.Inverse(back, c)
	require.InDeltaSlice(t, x, back, 1e-9)
	for i := range x {
		x[i] = 2
	}
	dct.Apply(c, x)
	require.InDelta(t, 2*math.Sqrt(30), c[0], 1e-9)
	require.InDelta(t, 0, dsp.Dot(c[1:], c[1:]), 1e-18)
}

// The inverse of the complete DCT gives back the values, and that of a few coefficients gives values with these coefficients.
func TestInverseDCT(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	x, c, back := make([]float64, 30), make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	dct := dsp.NewDCT(30, 30)
	dct.Apply(c, x)
	dct.Inverse(back, c)
	require.InDeltaSlice(t, x, back, 1e-12)
	few, again := dsp.NewDCT(30, 20), make([]float64, 20)
	few.Inverse(back, c[:20])
	few.Apply(again, back)
	require.InDeltaSlice(t, c[:20], again, 1e-12)
}

func TestLogDet(t *testing.T) {
	t.Parallel()
	// The determinant of [[4 2] [2 3]] is 8.
	require.InDelta(t, math.Log(8), dsp.LogDet([]float64{4, 0, 2, 3}, 2, 1e-9), 1e-12)
	// A singular matrix gives a finite value: its second pivot is the floor.
	require.InDelta(t, math.Log(1e-6), dsp.LogDet([]float64{1, 1, 1, 1}, 2, 1e-6), 1e-9)
}

// The Laplacian of the path graph with n vertices has the eigenvalues 2 − 2·cos(πk/n), found in order.
func TestTridiagonal(t *testing.T) {
	t.Parallel()
	const n = 60
	d, e := make([]float64, n), make([]float64, n-1)
	for i := range d {
		d[i] = 2
	}
	d[0], d[n-1] = 1, 1
	for i := range e {
		e[i] = -1
	}
	values, vectors := dsp.Tridiagonal(d, e)
	for k := range n {
		require.InDelta(t, 2-2*math.Cos(math.Pi*float64(k)/n), values[k], 1e-12)
		v := vectors[k]
		for i := range n { // A·v = λ·v
			av := d[i] * v[i]
			if i > 0 {
				av += e[i-1] * v[i-1]
			}
			if i < n-1 {
				av += e[i] * v[i+1]
			}
			require.InDelta(t, values[k]*v[i], av, 1e-10)
		}
	}
}

// Smallest spans the kernel of a graph's Laplacian: three components have three eigenvectors of eigenvalue 0, each constant
// on every component.
func TestSmallestFindsMultipleEigenvalues(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 4))
	const n, islands = 90, 3
	weight := make([][]float64, n)
	for i := range weight {
		weight[i] = make([]float64, n)
	}
	for i := range n {
		for j := range i {
			if i%islands == j%islands && rng.Float64() < 0.4 {
				weight[i][j] = 1
				weight[j][i] = 1
			}
		}
	}
	start := make([]float64, n)
	for i := range start {
		start[i] = rng.NormFloat64()
	}
	laplacian := func(y, x []float64) {
		for i := range y {
			y[i] = 0
			for j, w := range weight[i] {
				y[i] += w * (x[i] - x[j])
			}
		}
	}
	vectors, err := dsp.Smallest(context.Background(), n, islands, n, start, laplacian)
	require.NoError(t, err)
	for _, v := range vectors {
		for i := islands; i < n; i++ {
			require.InDelta(t, v[i%islands], v[i], 1e-6)
		}
	}
	// A cancelled context ends Smallest.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = dsp.Smallest(ctx, n, islands, n, start, laplacian)
	require.ErrorIs(t, err, context.Canceled)
}

func BenchmarkFFT512(b *testing.B) {
	f, x, power := dsp.NewFFT(512), make([]float64, 400), make([]float64, 257)
	for i := range x {
		x[i] = float64(i % 17)
	}
	for b.Loop() {
		f.Power(power, x)
	}
}

func BenchmarkLog(b *testing.B) {
	x, sum := 1.0, 0.0
	for b.Loop() {
		x += 0.37
		sum += dsp.Log(x)
	}
	require.NotZero(b, sum)
}

func BenchmarkExp(b *testing.B) {
	x, sum := 1.0, 0.0
	for b.Loop() {
		x = -math.Abs(x*0.99 - 0.37)
		sum += dsp.Exp(x)
	}
	require.NotZero(b, sum)
}
