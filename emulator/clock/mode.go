package clock

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// Mode is how a Clock runs.
type Mode string

const (
	// Real follows the wall clock. It can't be advanced.
	Real Mode = "real"
	// Scaled runs at Rate times wall-clock speed. It can't be advanced.
	Scaled Mode = "scaled"
	// Manual is frozen until it is advanced.
	Manual Mode = "manual"
	// Auto follows the wall clock. The sandbox also advances it past simulated delays.
	Auto Mode = "auto"
	// Steps is frozen. Each poll of a resource advances it until the resource changes state.
	Steps Mode = "steps"
)

// Modes returns every mode.
func Modes() []Mode { return []Mode{Real, Scaled, Manual, Auto, Steps} }

// Frozen reports whether time passes only when the clock is advanced.
func (m Mode) Frozen() bool { return m == Manual || m == Steps }

// CanAdvance reports whether the clock can be advanced.
func (m Mode) CanAdvance() bool { return m.Frozen() || m == Auto }

// maxRate is the highest Rate: more than 11 days per second.
const maxRate = 1e6

// Setting configures a Clock. The zero value is Auto.
type Setting struct {
	Mode Mode
	Rate float64   // multiple of wall-clock speed, above 0 and at most 1,000,000; only for Scaled
	Now  time.Time // initial time; zero for DefaultStart in Manual and Steps, and for the wall clock in other modes
}

// DefaultStart returns the initial time of a frozen clock.
func DefaultStart() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// Parse reads a mode from a flag: real, manual, auto, steps, or scaled with its rate (scaled:10, scaled×10, scaledx10). instant
// and "" mean auto. CodeInvalid for anything else.
func Parse(s string) (Setting, error) {
	if s == "instant" || s == "" {
		return Setting{Mode: Auto}, nil
	}
	if rate, ok := strings.CutPrefix(s, string(Scaled)); ok {
		return parseScaled(s, rate)
	}
	for _, m := range Modes() {
		if s == string(m) {
			return Setting{Mode: m}, nil
		}
	}
	return Setting{}, engine.Errorf(engine.CodeInvalid, "clock.Parse", "%q is not a clock mode.", s).
		WithHint(meant(s) + "Use auto, real, scaled:N, manual, or steps.")
}

// meant asks whether the closest mode was meant. It returns "" if none is close.
func meant(s string) string {
	var names []string
	for _, m := range Modes() {
		names = append(names, string(m))
	}
	if name := didyoumean.Suggest(s, names); name != "" {
		return "Did you mean " + name + "? "
	}
	return ""
}

func parseScaled(s, suffix string) (Setting, error) {
	for _, sign := range []string{":", "×", "x", "*"} {
		if digits, ok := strings.CutPrefix(suffix, sign); ok {
			rate, err := strconv.ParseFloat(digits, 64)
			set := Setting{Mode: Scaled, Rate: rate}
			if err == nil && set.Check() == nil {
				return set, nil
			}
			break
		}
	}
	return Setting{}, engine.Errorf(engine.CodeInvalid, "clock.Parse", "%q has no valid rate.", s).
		WithHint("Use scaled:N with a number above 0 and at most 1000000: scaled:10 is ten times wall-clock speed.")
}

// Check returns CodeInvalid when the setting is invalid.
func (s Setting) Check() error {
	const op = "clock.Check"
	known := s.Mode == ""
	for _, m := range Modes() {
		known = known || s.Mode == m
	}
	switch {
	case !known:
		return engine.Errorf(engine.CodeInvalid, op, "%q is not a clock mode.", string(s.Mode)).WithHint("Use auto, real, scaled, manual, or steps.")
	case s.Mode == Scaled && (math.IsNaN(s.Rate) || s.Rate <= 0 || s.Rate > maxRate):
		return engine.Errorf(engine.CodeInvalid, op, "A scaled clock needs a rate above 0 and at most %d.", int(maxRate))
	case s.Mode != Scaled && s.Rate != 0:
		return engine.Errorf(engine.CodeInvalid, op, "Only a scaled clock has a rate.")
	case !s.Now.IsZero():
		return CheckTime(s.Now)
	}
	return nil
}

// CheckTime returns CodeInvalid for a time outside the years 1970 to 2200. JSON can't represent years of five digits.
func CheckTime(t time.Time) error {
	if year := t.UTC().Year(); year < 1970 || year > 2200 {
		return engine.Errorf(engine.CodeInvalid, "Clock", "The time of a clock must be in the years 1970 to 2200.")
	}
	return nil
}

// String returns the setting in the format of Parse.
func (s Setting) String() string {
	switch s.Mode {
	case "":
		return string(Auto)
	case Scaled:
		return "scaled:" + strconv.FormatFloat(s.Rate, 'f', -1, 64)
	}
	return string(s.Mode)
}
