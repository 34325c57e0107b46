package render

import (
	"fmt"
	"math"
	"strconv"

	ffmpeg "github.com/u2takey/ffmpeg-go"
)

// crop cuts the picture to the frame's ratio around the focus. from is the number of its first frame in the result.
func (p Plan) crop(v *ffmpeg.Stream, from int) *ffmpeg.Stream {
	ratio := p.size().ratio() / p.pixelAspect()
	options := ffmpeg.KwArgs{"w": fmt.Sprintf("min(iw,max(2,ih*%.6f))", ratio), "h": fmt.Sprintf("min(ih,max(2,iw/%.6f))", ratio)}
	if p.path != nil {
		side, axis := "w", "x"
		if p.size().ratio() > p.facts.displayed().ratio() {
			side, axis = "h", "y"
		}
		options[axis], options["exact"] = around(side, "("+middle(shifted(p.path.Moves, from), true)+")"), 1 // whole steps of two pixels would show
	} else if x, y, ok := p.request.Focus.Point(); ok && (x != 0.5 || y != 0.5) {
		options["x"], options["y"] = around("w", number4(x)), around("h", number4(y))
	}
	return v.Filter("crop", nil, options)
}

// around returns where a cut of a side begins whose middle is at a share of the side, moved inside the picture.
func around(side, at string) string {
	return fmt.Sprintf("clip(i%[1]s*%[2]s-o%[1]s/2,0,i%[1]s-o%[1]s)", side, at)
}

// number4 formats a share.
func number4(v float64) string { return fmt.Sprintf("%.4f", v) }

// kept returns how much of the picture a crop shows, as a share.
func (p Plan) kept() float64 {
	shown, frame := p.facts.displayed().ratio(), p.size().ratio()
	return min(shown/frame, frame/shown)
}

// littleKept is the share of the picture below which a crop is worth a note.
const littleKept = 0.5

// noteCrop adds a note about a crop that loses much.
func (p *Plan) noteCrop() {
	if p.Audiogram || p.whole == p.size() || p.request.Fit != Crop || p.request.Focus.Faces() || p.kept() >= littleKept {
		return
	}
	share := "less than 1"
	if n := int(math.Round(100 * p.kept())); n > 0 {
		share = strconv.Itoa(n)
	}
	p.Notes = append(p.Notes, "The crop shows "+share+" % of the picture.")
}
