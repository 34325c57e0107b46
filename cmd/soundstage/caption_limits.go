package main

import (
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
)

// captionFlags are the flags for the limits of captions.
type captionFlags struct {
	profile          string
	chars, lines     int
	cps              float64
	min, max, gap    time.Duration
	gapSet, anything func() bool
}

// add adds the flags to a command.
func (c *captionFlags) add(f *pflag.FlagSet) {
	f.StringVar(&c.profile, "profile", captions.Profiles()[0], "limits of captions, by style `guide`: "+joinNames(captions.Profiles()))
	c.addOwn(f)
}

// addOwn adds the flags that replace single limits of the profile.
func (c *captionFlags) addOwn(f *pflag.FlagSet) {
	f.IntVar(&c.chars, "max-chars", 0, "most `characters` of a caption line; East Asian ones count twice")
	f.IntVar(&c.lines, "max-lines", 0, "most `lines` of a caption")
	f.Float64Var(&c.cps, "cps", 0, "reading speed to aim for, in `characters` per second")
	f.DurationVar(&c.min, "min", 0, "shortest `duration` of a caption")
	f.DurationVar(&c.max, "max", 0, "longest `duration` of a caption")
	f.DurationVar(&c.gap, "gap", 0, "`duration` between captions")
	c.gapSet = func() bool { return f.Changed("gap") }
	c.anything = func() bool {
		for _, name := range []string{"profile", "max-chars", "max-lines", "cps", "min", "max", "gap"} {
			if f.Changed(name) {
				return true
			}
		}
		return false
	}
}

// options returns the limits, or CodeInvalid.
func (c *captionFlags) options(op string) (captions.Options, error) {
	o, ok := captions.Profile(c.profile)
	switch {
	case !ok:
		return o, engine.Errorf(engine.CodeInvalid, op, "Unknown profile %q.", c.profile).WithHint("Use " + joinNames(captions.Profiles()) + ".")
	case math.IsNaN(c.cps) || math.IsInf(c.cps, 0):
		return o, engine.Errorf(engine.CodeInvalid, op, "--cps must be a number of characters per second (got %g).", c.cps)
	case c.chars < 0 || c.lines < 0 || c.cps < 0 || c.min < 0 || c.max < 0 || c.gap < 0:
		return o, engine.Errorf(engine.CodeInvalid, op, "Limits of captions can't be negative.")
	case c.chars > 0 && c.chars < 4:
		return o, engine.Errorf(engine.CodeInvalid, op, "--max-chars must be at least 4 (got %d).", c.chars)
	case c.min > 0 && c.max > 0 && c.min > c.max:
		return o, engine.Errorf(engine.CodeInvalid, op, "--min must not exceed --max (got %s and %s).", c.min, c.max)
	}
	o.Columns, o.Lines, o.ReadingSpeed, o.MinDuration, o.MaxDuration, o.Gap = c.chars, c.lines, c.cps, c.min, c.max, c.gap
	if c.gap == 0 && c.gapSet() {
		o.Gap = -1 // none
	}
	return o, nil
}
