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
	knownQuality = 7.  // of a face where one was before
	faceShift    = 0.12
	faceScale    = 1.1
	tilt         = 0.07 // of a full turn: heads lean by 25°
)

// border is how far a frame is continued beyond its sides, because the cascade finds only whole faces.
const border = 24

// picture is a frame in which faces are searched: grey pixels, with each side continued.
type picture struct {
	cascade       *pigo.Pigo
	pix           []byte // rows of width + 2×border
	width, height int    // without the borders
}

// fill makes the picture show a frame.
func (p *picture) fill(frame []byte) {
	p.pix = p.pix[:0]
	for y := 0; y+p.width <= len(frame); y += p.width {
		row := frame[y : y+p.width]
		p.pix = append(append(append(p.pix, bytes.Repeat(row[:1], border)...), row...), bytes.Repeat(row[p.width-1:], border)...)
	}
}

// faces returns the upright faces in the whole picture.
func (p *picture) faces() []face {
	return p.run(-border, 0, p.width+border, p.height, leastFace, p.height, 0, leastQuality)
}

// near returns the face near a known one, upright or leaning to a side, or false.
func (p *picture) near(last face) (best face, ok bool) {
	reach := last.size * 1.3
	x0, y0 := max(-border, int(last.x-reach)), max(0, int(last.y-reach))
	x1, y1 := min(p.width+border, int(last.x+reach)), min(p.height, int(last.y+reach))
	for _, angle := range []float64{0, tilt, 1 - tilt} {
		if angle > 0 {
			x1 = min(x1, x0+y1-y0) // pigo reads no column of a leaning face beyond the number of rows
		}
		for _, f := range p.run(x0, y0, x1, y1, int(last.size*0.75), int(last.size*1.3), angle, knownQuality) {
			if f.quality > best.quality {
				best = f
			}
		}
		if best.quality > 0 {
			return best, true
		}
	}
	return best, false
}

// run runs the cascade on a part of the picture.
func (p *picture) run(x0, y0, x1, y1, least, most int, angle, quality float64) (found []face) {
	w, h, stride := x1-x0, y1-y0, p.width+2*border
	if w < leastFace || h < leastFace {
		return nil
	}
	detections := p.cascade.RunCascade(pigo.CascadeParams{
		MinSize: max(least, leastFace), MaxSize: most, ShiftFactor: faceShift, ScaleFactor: faceScale,
		ImageParams: pigo.ImageParams{Pixels: p.pix[y0*stride+x0+border:], Rows: h, Cols: w, Dim: stride},
	}, angle)
	for _, d := range p.cascade.ClusterDetections(detections, 0.15) {
		if f := (face{x: float64(x0 + d.Col), y: float64(y0 + d.Row), size: float64(d.Scale), quality: float64(d.Q)}); f.quality >= quality {
			found = append(found, f)
		}
	}
	return found
}
