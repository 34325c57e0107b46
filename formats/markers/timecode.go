package markers

import (
	"fmt"
	"strconv"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Timecode returns the timecode of a frame, "01:00:00:00", or "01:00:00;00" with drop frames. It begins at 0 again after 24 hours.
func (r Rate) Timecode(frame int64) string {
	r = r.normal()
	base, dropped := r.base(), r.dropped()
	tenMinutes := 600*base - 9*dropped
	frame %= 144 * tenMinutes
	tens, rest := frame/tenMinutes, frame%tenMinutes
	frame += 9 * dropped * tens
	if dropped > 0 && rest >= 60*base {
		frame += dropped * (1 + (rest-60*base)/(60*base-dropped))
	}
	mark := ":"
	if r.Drop {
		mark = ";"
	}
	seconds := frame / base
	return fmt.Sprintf("%02d:%02d:%02d%s%02d", seconds/3600, seconds/60%60, seconds%60, mark, frame%base)
}

var timecode = lazyregexp.New(`^([0-9]{2}):([0-9]{2}):([0-9]{2})([:;])([0-9]{2})$`)

// ParseTimecode returns the frame of a timecode such as "01:00:00:00". A semicolon before the frames stands for drop frames. CodeInvalid for
// anything else, for a number that the rate doesn't have, and for a semicolon if the rate has no drop frames.
func (r Rate) ParseTimecode(s string) (int64, error) {
	r = r.normal()
	invalid := func(format string, args ...any) (int64, error) {
		return 0, fault.Errorf(fault.CodeInvalid, "ParseTimecode", format, args...).WithHint("Use hours, minutes, seconds, and frames, such as 01:00:00:00.")
	}
	m := timecode.FindStringSubmatch(s)
	if m == nil {
		return invalid("%q is not a timecode.", s)
	}
	var n [4]int64
	for i, digits := range []string{m[1], m[2], m[3], m[5]} {
		n[i], _ = strconv.ParseInt(digits, 10, 64)
	}
	hours, minutes, seconds, frames := n[0], n[1], n[2], n[3]
	base, dropped := r.base(), r.dropped()
	switch {
	case m[4] == ";" && !r.Drop:
		return invalid("The timecode %s is for drop frames, which the frame rate doesn't have.", s)
	case hours > 23 || minutes > 59 || seconds > 59 || frames >= base:
		return invalid("The timecode %s doesn't exist: hours end at 23, minutes and seconds at 59, and frames at %d.", s, base-1)
	case seconds == 0 && frames < dropped && minutes%10 != 0:
		return invalid("The timecode %s doesn't exist: drop frames skip it.", s)
	}
	total := hours*60 + minutes
	return (total*60+seconds)*base + frames - dropped*(total-total/10), nil
}
