package render

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
)

// Messages of a render's progress, in order.
const (
	MsgInspecting = "Inspecting the media"
	MsgMeasuring  = "Measuring the loudness"
	MsgFocusing   = "Looking for faces" // only if the crop follows them
	MsgRendering  = "Rendering"
	MsgChecking   = "Checking the result"
	MsgDone       = "Done"
)

// progress reports how far a render is: a fraction that never decreases, and is 1 only when the result is in place.
type progress struct {
	report      func(fraction float64, message string)
	last        float64
	lastMessage string
}

// update reports a fraction. It skips steps of less than 0.5 % with the same message.
func (p *progress) update(fraction float64, message string) {
	fraction = max(fraction, p.last)
	if p.report == nil || fraction-p.last < 0.005 && message == p.lastMessage && fraction < 1 {
		return
	}
	p.last, p.lastMessage = fraction, message
	p.report(fraction, message)
}

// follow reads the output of ffmpeg's -progress until it ends, and maps it to fractions between from and to.
func (p *progress) follow(r io.Reader, length time.Duration, from, to float64) {
	readProgress(r, func(at time.Duration) {
		p.update(from+(to-from)*min(max(float64(at)/float64(length), 0), 1), MsgRendering)
	})
}

// readProgress reads the output of ffmpeg's -progress until it ends, and calls reached with each time in the output.
func readProgress(r io.Reader, reached func(time.Duration)) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		value, ok := strings.CutPrefix(lines.Text(), "out_time_us=")
		if us, err := strconv.ParseInt(value, 10, 64); ok && err == nil { // "N/A" at first
			reached(time.Duration(us) * time.Microsecond)
		}
	}
	_, _ = io.Copy(io.Discard, r)
}
