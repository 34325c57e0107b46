package focus

import (
	"bytes"
	_ "embed"
	"sync"

	pigo "github.com/esimov/pigo/core"
)

// facefinder is the cascade of faces of github.com/esimov/pigo, which its module doesn't embed. See LICENSE-PIGO.
//
//go:embed facefinder
var facefinder []byte

// cascade unpacks the cascade once; it is read-only afterwards.
var cascade = sync.OnceValues(func() (*pigo.Pigo, error) { return pigo.NewPigo().Unpack(facefinder) })

// face is a face in a frame, in pixels. size is the side of a square from the brows to the chin.
type face struct {
	x, y, size float64
	quality    float64
}

const (
	leastFace    = 18  // smallest side of a face in pixels; the cascade is trained on 24
	leastQuality = 10. // of a face; noise and textures reach 5
	faceShift    = 0.12
	faceScale    = 1.1
	tilt         = 0.07 // of a full turn: heads lean by 25°
)

// border is how far a frame is continued beyond its sides, because the cascade finds only whole faces.
const border = 24

// detect returns the upright faces in a frame of grey pixels. padded is a buffer that it may use.
func detect(c *pigo.Pigo, pix, padded []byte, width, height int) (found []face, _ []byte) {
	if height < leastFace {
		return nil, padded
	}
	padded = pad(padded[:0], pix, width)
	for _, f := range run(c, padded, width+2*border, 0, 0, width+2*border, height, leastFace, height, 0) {
		f.x -= border
		found = append(found, f)
	}
	return found, padded
}

// pad appends the rows of a frame, each with its first and last pixel repeated.
func pad(padded, pix []byte, width int) []byte {
	for y := 0; y+width <= len(pix); y += width {
		row := pix[y : y+width]
		padded = append(append(append(padded, bytes.Repeat(row[:1], border)...), row...), bytes.Repeat(row[width-1:], border)...)
	}
	return padded
}

// lookAround returns the face near a known one, upright or leaning to a side, or false.
func lookAround(c *pigo.Pigo, pix []byte, width, height int, last face) (face, bool) {
	reach := last.size * 1.3
	x0, y0 := max(0, int(last.x-reach)), max(0, int(last.y-reach))
	x1, y1 := min(width, int(last.x+reach)), min(height, int(last.y+reach))
	x1 = min(x1, x0+y1-y0) // pigo reads no column of a leaning face beyond the number of rows
	var best face
	for _, angle := range []float64{tilt, 1 - tilt} {
		for _, f := range run(c, pix, width, x0, y0, x1-x0, y1-y0, int(last.size*0.75), int(last.size*1.3), angle) {
			if f.quality > best.quality {
				best = f
			}
		}
	}
	return best, best.quality > 0
}

// run runs the cascade on a part of a frame.
func run(c *pigo.Pigo, pix []byte, stride, x, y, w, h, least, most int, angle float64) (found []face) {
	if w < leastFace || h < leastFace {
		return nil
	}
	detections := c.RunCascade(pigo.CascadeParams{
		MinSize: max(least, leastFace), MaxSize: most, ShiftFactor: faceShift, ScaleFactor: faceScale,
		ImageParams: pigo.ImageParams{Pixels: pix[y*stride+x:], Rows: h, Cols: w, Dim: stride},
	}, angle)
	for _, d := range c.ClusterDetections(detections, 0.15) {
		if f := (face{x: float64(x + d.Col), y: float64(y + d.Row), size: float64(d.Scale), quality: float64(d.Q)}); f.quality >= leastQuality {
			found = append(found, f)
		}
	}
	return found
}
