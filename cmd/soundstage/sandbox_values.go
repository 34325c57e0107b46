package main

import (
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// renderDefaults returns the defaults of renders that the flags name.
func renderDefaults(style, target string) (d emulator.RenderDefaults, err error) {
	if _, d.Look, err = parseStyle("serve", style); err != nil {
		return d, err
	}
	if d.Look == nil || slices.Contains(render.Presets(), style) {
		d.Style, d.Look = style, nil
	}
	if d.Target = engine.Target(target); d.Target.Validate() != nil {
		return d, unknownValue("serve", "target", target, engine.Targets())
	}
	return d, nil
}

// startTime parses --clock-start; "" is the zero time.
func startTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return t, engine.Errorf(engine.CodeInvalid, "serve", "--clock-start %q is not a time.", s).WithHint("Use RFC 3339, for example 2026-01-01T00:00:00Z.")
	}
	return t, nil
}

// rateLimits turns the three numbers of --rate-limit into a limit for each tier.
func rateLimits(n []int) (map[engine.Tier]int, error) {
	if len(n) == 0 {
		return nil, nil
	}
	if len(n) != 3 || slices.Min(n) < 1 {
		return nil, engine.Errorf(engine.CodeInvalid, "serve", "--rate-limit must be three numbers of at least 1 (got %v).", n).
			WithHint("Set requests per minute for core, automation, and platform: --rate-limit 60,120,300.")
	}
	return map[engine.Tier]int{engine.TierCore: n[0], engine.TierAutomation: n[1], engine.TierPlatform: n[2]}, nil
}
