package speech

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// Time is a time in the media, or unknown. The zero Time is unknown.
type Time struct {
	At    time.Duration
	Known bool
}

// At returns a known Time.
func At(d time.Duration) Time { return Time{d, true} }

// Seconds returns the Time of a number of seconds. NaN and times beyond a year are unknown.
func Seconds(s float64) Time {
	if !(math.Abs(s) < 365*24*3600) {
		return Time{}
	}
	return At(time.Duration(s * float64(time.Second)))
}

// Add returns a known time plus d; an unknown time stays unknown.
func (t Time) Add(d time.Duration) Time {
	if t.Known {
		t.At += d
	}
	return t
}

// InSeconds is a Time that JSON has as a number of seconds, or as a string with one. Anything else is unknown and not an
// error: one invalid time is no reason to lose an hour of words.
type InSeconds struct{ Time }

// InMilliseconds is like InSeconds, in milliseconds.
type InMilliseconds struct{ Time }

// UnmarshalJSON accepts any JSON value without an error.
func (t *InSeconds) UnmarshalJSON(b []byte) error {
	t.Time = Seconds(number(b))
	return nil
}

// UnmarshalJSON accepts any JSON value without an error.
func (t *InMilliseconds) UnmarshalJSON(b []byte) error {
	t.Time = Seconds(number(b) / 1000)
	return nil
}

// Confidence is a JSON number from 0 to 1, or unknown. Other values are unknown, not an error.
type Confidence struct {
	Value float64
	Known bool
}

// KnownConfidence returns a known Confidence, limited to 0 to 1. NaN is unknown.
func KnownConfidence(v float64) Confidence {
	if math.IsNaN(v) {
		return Confidence{}
	}
	return Confidence{min(max(v, 0), 1), true}
}

// UnmarshalJSON accepts any JSON value without an error.
func (c *Confidence) UnmarshalJSON(b []byte) error {
	*c = KnownConfidence(number(b))
	return nil
}

// number parses a JSON number or a string with one. It returns NaN for anything else.
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
