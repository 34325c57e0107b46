package main

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/captions"
)

// captionFlags are the flags for the limits of captions.
type captionFlags struct {
	profile       string
	chars, lines  int
	cps           float64
	min, max, gap time.Duration
	given         func(flag string) bool
}

// add adds the flags to a command.
func (c *captionFlags) add(cmd *cobra.Command) {
	f, profiles := cmd.Flags(), captions.Profiles()
	c.profile, c.given = profiles[0], f.Changed
	f.Var(choice{&c.profile, profiles, "profile"}, "profile", "limits of captions: "+joinNames(profiles))
	_ = cmd.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(profiles, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
	f.IntVar(&c.chars, "max-chars", 0, "most `characters` of a caption line; East Asian ones count twice")
	f.IntVar(&c.lines, "max-lines", 0, "most `lines` of a caption")
	f.Float64Var(&c.cps, "cps", 0, "reading speed to aim for, in `characters` per second")
	f.DurationVar(&c.min, "min", 0, "shortest `duration` of a caption")
	f.DurationVar(&c.max, "max", 0, "longest `duration` of a caption")
	f.DurationVar(&c.gap, "gap", 0, "`duration` between captions")
}

// anything reports whether a flag is set.
func (c *captionFlags) anything() bool {
	for _, name := range []string{"profile", "max-chars", "max-lines", "cps", "min", "max", "gap"} {
		if c.given(name) {
			return true
		}
	}
	return false
}

// options returns the limits, or CodeInvalid.
func (c *captionFlags) options(op string) (captions.Options, error) {
	err := cmp.Or(
		inRange(c, op, "max-chars", c.chars, 4, 500),
		inRange(c, op, "max-lines", c.lines, 1, 10),
		inRange(c, op, "cps", c.cps, 1, 200),
		inRange(c, op, "min", c.min, time.Millisecond, time.Minute),
		inRange(c, op, "max", c.max, 100*time.Millisecond, time.Hour),
		inRange(c, op, "gap", c.gap, 0, 10*time.Second),
	)
	if err == nil && c.min > 0 && c.max > 0 && c.min > c.max {
		err = engine.Errorf(engine.CodeInvalid, op, "--min must not exceed --max (got %s and %s).", c.min, c.max)
	}
	if err != nil {
		return captions.Options{}, err
	}
	o, _ := captions.Profile(c.profile)
	o.Columns, o.Lines, o.ReadingSpeed, o.MinDuration, o.MaxDuration, o.Gap = c.chars, c.lines, c.cps, c.min, c.max, c.gap
	if c.gap == 0 && c.given("gap") {
		o.Gap = -1 // none
	}
	return o, nil
}

// inRange returns CodeInvalid if a flag is set to a value outside of least to most.
func inRange[T cmp.Ordered](c *captionFlags, op, flag string, value, least, most T) error {
	if !c.given(flag) || value >= least && value <= most {
		return nil
	}
	return engine.Errorf(engine.CodeInvalid, op, "--%s must be between %v and %v (got %v).", flag, least, most, value)
}
