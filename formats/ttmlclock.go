package formats

import (
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// ttmlClock converts the time expressions of a TTML file (section 12.3.1 of TTML2).
type ttmlClock struct{ frames, ticks float64 } // per second

func ttmlClockOf(attributes map[string]string) ttmlClock {
	c := ttmlClock{frames: 30}
	if f, err := strconv.ParseFloat(attributes["frameRate"], 64); err == nil && f > 0 {
		c.frames = f
	}
	if n, d, ok := strings.Cut(attributes["frameRateMultiplier"], " "); ok {
		numerator, err := strconv.ParseFloat(n, 64)
		denominator, err2 := strconv.ParseFloat(d, 64)
		if err == nil && err2 == nil && numerator > 0 && denominator > 0 {
			c.frames *= numerator / denominator
		}
	}
	c.ticks = 1
	if attributes["frameRate"] != "" {
		c.ticks = c.frames
	}
	if t, err := strconv.ParseFloat(attributes["tickRate"], 64); err == nil && t > 0 {
		c.ticks = t
	}
	return c
}

// time parses a clock time (00:00:01.5, 00:00:01:12) or an offset (1.5s). It is false for others and for 10,000 hours or more.
func (c ttmlClock) time(s string) (time.Duration, bool) {
	seconds, ok := 0.0, false
	if strings.Contains(s, ":") {
		seconds, ok = c.clockTime(s)
	} else {
		seconds, ok = c.offset(s)
	}
	if !ok || !(seconds < captions.MaxTime.Seconds()) {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond), true
}

// clockTime parses hh:mm:ss, with a fraction or with frames.
func (c ttmlClock) clockTime(s string) (seconds float64, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) < 3 || len(parts) > 4 {
		return 0, false
	}
	limits := []float64{1e6, 60, 60, c.frames}
	units := []float64{3600, 60, 1, 1 / c.frames}
	for i, part := range parts {
		n, ok := decimal(part)
		if !ok || n >= limits[i] || strings.Contains(part, ".") && !(i == 2 && len(parts) == 3) {
			return 0, false
		}
		seconds += n * units[i]
	}
	return seconds, true
}

// offset parses a number with a unit.
func (c ttmlClock) offset(s string) (seconds float64, ok bool) {
	number := strings.TrimRight(s, "hmsft")
	n, ok := decimal(number)
	if !ok {
		return 0, false
	}
	switch s[len(number):] {
	case "h":
		return n * 3600, true
	case "m":
		return n * 60, true
	case "s":
		return n, true
	case "ms":
		return n / 1000, true
	case "f":
		return n / c.frames, true
	case "t":
		return n / c.ticks, true
	}
	return 0, false
}

// decimal parses digits with an optional fraction, and nothing else that a number of Go may have.
func decimal(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}
