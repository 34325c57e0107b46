package speech

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// Time is a time in the media, if the server told a usable one. The zero Time is unknown.
type Time struct {
	At    time.Duration
	Known bool
}

// At is a known Time.
func At(d time.Duration) Time { return Time{d, true} }

// Seconds is the Time of a number of seconds; one that is no number, or beyond a year, is unknown.
func Seconds(s float64) Time {
	if !(math.Abs(s) < 365*24*3600) {
		return Time{}
	}
	return At(time.Duration(s * float64(time.Second)))
}

// Add moves a known time.
func (t Time) Add(d time.Duration) Time {
	if t.Known {
		t.At += d
	}
	return t
}

// InSeconds is a Time that is written in JSON as a number of seconds, or as text with one. Anything else is unknown and no error: one
// odd time is no reason to lose an hour of words.
type InSeconds struct{ Time }

// InMilliseconds is like InSeconds, of milliseconds.
type InMilliseconds struct{ Time }

// UnmarshalJSON never fails.
func (t *InSeconds) UnmarshalJSON(b []byte) error {
	t.Time = Seconds(number(b))
	return nil
}

// UnmarshalJSON never fails.
func (t *InMilliseconds) UnmarshalJSON(b []byte) error {
	t.Time = Seconds(number(b) / 1000)
	return nil
}

// Confidence is a number from 0 to 1 in JSON; anything else is unknown, and no error.
type Confidence struct {
	Value float64
	Known bool
}

// Sure is a known Confidence; one that is no number is unknown, and one outside of 0 to 1 is the next in it.
func Sure(v float64) Confidence {
	if math.IsNaN(v) {
		return Confidence{}
	}
	return Confidence{min(max(v, 0), 1), true}
}

// UnmarshalJSON never fails.
func (c *Confidence) UnmarshalJSON(b []byte) error {
	*c = Sure(number(b))
	return nil
}

// number reads a JSON number or text with one; NaN for what is neither.
func number(b []byte) float64 {
	s := string(b)
	if strings.HasPrefix(s, `"`) && json.Unmarshal(b, &s) != nil {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}
