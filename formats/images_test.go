package formats_test

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// tile is the side of a compared square in pixels: about the size of a letter.
const tile = 12

// difference returns the difference of two pictures in the square where they differ most, 0 to 1. It compares mean
// brightness after a 3 × 3 blur, which hides shifts by a fraction of a pixel.
func difference(t *testing.T, wantFile string, got []byte) float64 {
	t.Helper()
	want, err := os.ReadFile(wantFile)
	require.NoError(t, err, "run make golden to write it")
	a, b := brightness(t, want), brightness(t, got)
	require.Len(t, b, len(a))
	require.Len(t, b[0], len(a[0]))
	worst := 0.0
	for y := 0; y+tile < len(a); y += tile {
		for x := 0; x+tile < len(a[0]); x += tile {
			worst = max(worst, tileDifference(a, b, x, y))
		}
	}
	return worst
}

func tileDifference(a, b [][]float64, x0, y0 int) float64 {
	sum := 0.0
	for y := y0 + 1; y < y0+tile; y++ {
		for x := x0 + 1; x < x0+tile; x++ {
			d := 0.0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					d += a[y+dy][x+dx] - b[y+dy][x+dx]
				}
			}
			sum += math.Abs(d / 9)
		}
	}
	return sum / (tile - 1) / (tile - 1)
}

func brightness(t *testing.T, file []byte) [][]float64 {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	require.NoError(t, err)
	rows := make([][]float64, img.Bounds().Dy())
	for y := range rows {
		rows[y] = make([]float64, img.Bounds().Dx())
		for x := range rows[y] {
			rows[y][x] = float64(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y) / 255
		}
	}
	return rows
}
