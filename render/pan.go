package render

import (
	"fmt"
	"strings"
)

// panZones returns the option of x264 for the frames in which the crop moves. A picture that moves as a whole hides details, and takes half as
// much time again to encode as one that rests: a coarser quantizer and a simpler search save half of that.
func (p Plan) panZones() string {
	if p.path == nil {
		return ""
	}
	var zones []string
	for i, m := range p.path.Moves {
		if m.At != m.To && i+1 < len(p.path.Moves) {
			zones = append(zones, fmt.Sprintf("%d,%d,b=0.75,subme=1", m.From, p.path.Moves[i+1].From-1))
		}
	}
	if len(zones) == 0 {
		return ""
	}
	return ":zones=" + strings.Join(zones, "/")
}
