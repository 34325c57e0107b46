package markers

import (
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Rate is how many frames a second has: Frames/Per. The zero value means 25.
type Rate struct {
	Frames, Per int64 // such as 30000 and 1001
	Drop        bool  // the timecode skips numbers, so that it follows the wall clock (SMPTE ST 12-1)
}

// rates are the rates of cameras and editors, with their usual names.
var rates = []struct {
	name string
	rate Rate
}{
	{"23.976", Rate{24000, 1001, false}},
	{"24", Rate{24, 1, false}},
	{"25", Rate{25, 1, false}},
	{"29.97", Rate{30000, 1001, false}},
	{"29.97df", Rate{30000, 1001, true}},
	{"30", Rate{30, 1, false}},
	{"48", Rate{48, 1, false}},
	{"50", Rate{50, 1, false}},
	{"59.94", Rate{60000, 1001, false}},
	{"59.94df", Rate{60000, 1001, true}},
	{"60", Rate{60, 1, false}},
}

// Rates returns the names that ParseRate knows, the slowest first.
func Rates() []string {
	names := make([]string, len(rates))
	for i, r := range rates {
		names[i] = r.name
	}
	return names
}

// ParseRate returns the rate of a name such as "25", "23.976", or "29.97df", which has drop-frame timecode. CodeInvalid for other names.
func ParseRate(name string) (Rate, error) {
	for _, r := range rates {
		if strings.EqualFold(r.name, name) {
			return r.rate, nil
		}
	}
	return Rate{}, fault.Errorf(fault.CodeInvalid, "ParseRate", "Unknown frame rate %q.", name).WithHint("Use one of " + strings.Join(Rates(), ", ") + ".")
}

// normal returns the rate, or 25 for one that isn't in the table.
func (r Rate) normal() Rate {
	for _, known := range rates {
		if known.rate == r {
			return r
		}
	}
	return Rate{25, 1, false}
}

// Frame returns the frame that is nearest to a time from the start. The time must be at most 10,000 hours.
func (r Rate) Frame(d time.Duration) int64 {
	r = r.normal()
	unit := r.Per * int64(time.Second/time.Millisecond)
	return (2*max(d, 0).Milliseconds()*r.Frames + unit) / (2 * unit)
}

// base returns how many frames a second of timecode has.
func (r Rate) base() int64 { return (r.Frames + r.Per - 1) / r.Per }

// dropped returns how many numbers of frames a minute skips, unless it is a tenth one.
func (r Rate) dropped() int64 {
	if r.Drop {
		return r.base() / 15
	}
	return 0
}
