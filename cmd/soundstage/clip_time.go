package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// clipTime is the value of a flag that is a moment of a recording. It is written as in a player (1:10, 1:02:03.5), in seconds (70), or
// with units (70s, 1h2m).
type clipTime time.Duration

// Set implements pflag.Value.
func (t *clipTime) Set(s string) error {
	d, err := parseClipTime(s)
	if err == nil {
		*t = clipTime(d)
	}
	return err
}

// String returns a time that Set reads.
func (t *clipTime) String() string {
	if *t == 0 {
		return "0" // the default, which the help leaves out
	}
	return time.Duration(*t).String()
}

// Type implements pflag.Value.
func (*clipTime) Type() string { return "time" }

// maxClipTime is the longest time: longer than any media.
const maxClipTime = 1000 * time.Hour

var errClipTime = errors.New("a time is written 1:10, 1:02:03.5, 70s, or 1h2m")

// parseClipTime parses a moment of a recording.
func parseClipTime(s string) (time.Duration, error) {
	parts := strings.Split(strings.Replace(s, ",", ".", 1), ":") // caption files have commas
	last := parts[len(parts)-1]
	d, err := time.ParseDuration(last)
	if isDigits(strings.Replace(last, ".", "", 1)) {
		d, err = time.ParseDuration(last + "s")
	} else if len(parts) > 1 {
		return 0, errClipTime
	}
	switch {
	case err != nil || len(parts) > 3:
		return 0, errClipTime
	case d < 0:
		return 0, fmt.Errorf("a time must not be negative")
	case len(parts) > 1 && d >= time.Minute:
		return 0, fmt.Errorf("the seconds after a colon must be less than 60")
	}
	unit := time.Minute
	for i := len(parts) - 2; i >= 0; i-- {
		n, err := strconv.Atoi(parts[i])
		switch {
		case err != nil || !isDigits(parts[i]):
			return 0, errClipTime
		case i > 0 && n >= 60:
			return 0, fmt.Errorf("the minutes after a colon must be less than 60")
		case n > int(maxClipTime/unit):
			return 0, fmt.Errorf("a time must be less than %s", maxClipTime)
		}
		d, unit = d+time.Duration(n)*unit, unit*60
	}
	if d > maxClipTime {
		return 0, fmt.Errorf("a time must be less than %s", maxClipTime)
	}
	return d, nil
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// clipWindow are the flags for a part of a recording.
type clipWindow struct {
	start, end  clipTime
	first, last string // names of the flags
}

// add adds the flags first and last, such as from and to. The helps are what they are without a value.
func (w *clipWindow) add(f *pflag.FlagSet, first, last, firstHelp, lastHelp string) {
	w.first, w.last = first, last
	f.Var(&w.start, first, "start `time`, such as 1:10 or 70.5s"+firstHelp)
	f.Var(&w.end, last, "end `time`"+lastHelp)
}

// window returns the part.
func (w clipWindow) window() transcript.Window {
	return transcript.Window{Start: time.Duration(w.start), End: time.Duration(w.end)}
}

// given reports whether a flag is set.
func (w clipWindow) given() bool { return w.start != 0 || w.end != 0 }

// check returns CodeInvalid for a part whose end is not after its start.
func (w clipWindow) check(op string) error {
	if w.end > w.start {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, op, "--%s must be after --%s (got %s and %s).", w.last, w.first, clock(time.Duration(w.end)), clock(time.Duration(w.start)))
}
