package render

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
)

// Messages of a render's progress, in their order.
const (
	MsgLooking   = "Looking at the media"
	MsgListening = "Measuring the sound"
	MsgRendering = "Rendering"
	MsgChecking  = "Checking the result"
	MsgDone      = "Done"
)

// progress passes on how far a render is: a fraction that never falls and is 1 only when the result is in its place.
type progress struct {
	tell func(fraction float64, message string)
	last float64
	said string
}

// at tells of a fraction. What is less than half a percent more, and says nothing new, isn't told.
func (p *progress) at(fraction float64, message string) {
	fraction = max(fraction, p.last)
	if p.tell == nil || fraction-p.last < 0.005 && message == p.said && fraction < 1 {
		return
	}
	p.last, p.said = fraction, message
	p.tell(fraction, message)
}

// follow reads what ffmpeg says with -progress until it ends, and tells of the part between two fractions.
func (p *progress) follow(r io.Reader, length time.Duration, from, to float64) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		value, ok := strings.CutPrefix(lines.Text(), "out_time_us=")
		if us, err := strconv.ParseInt(value, 10, 64); ok && err == nil { // "N/A" in the beginning
			done := float64(time.Duration(us)*time.Microsecond) / float64(length)
			p.at(from+(to-from)*min(max(done, 0), 1), MsgRendering)
		}
	}
	_, _ = io.Copy(io.Discard, r)
}
