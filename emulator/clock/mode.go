package clock

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Mode says how a Clock goes.
type Mode string

const (
	// Real is the wall's time. Nothing can advance it.
	Real Mode = "real"
	// Scaled goes Rate times as fast as the wall's time. Nothing can advance it.
	Scaled Mode = "scaled"
	// Manual stands still until it is advanced.
	Manual Mode = "manual"
	// Auto goes with the wall's time, and is advanced past what only waits for time.
	Auto Mode = "auto"
	// Steps stands still; whoever looks at a thing again and again advances it by one state at a time.
	Steps Mode = "steps"
)

// Modes returns every mode.
func Modes() []Mode { return []Mode{Real, Scaled, Manual, Auto, Steps} }

// Still reports whether time passes in the mode only when it is advanced.
func (m Mode) Still() bool { return m == Manual || m == Steps }

// Jumps reports whether a clock of the mode can be advanced.
func (m Mode) Jumps() bool { return m.Still() || m == Auto }

// maxRate is the greatest Rate: more than eleven days in a second.
const maxRate = 1e6

// Setting is how a clock is set. The zero value is Auto.
type Setting struct {
	Mode Mode
	Rate float64   // of Scaled: seconds that pass in one of the wall's, above 0 and at most a million; else 0
	Now  time.Time // what it shows at first; zero for DefaultStart in Manual and Steps, and for the wall's time in the others
}

// DefaultStart is what a clock that stands still shows at first unless it is told otherwise.
func DefaultStart() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// Parse reads a mode as flags have it: real, manual, auto, steps, or scaled with its rate: scaled:10, scaled×10, scaledx10. instant is
// another name of auto. Errors: CodeInvalid.
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
	return Setting{}, engine.Errorf(engine.CodeInvalid, "clock.Parse", "There is no clock %q.", s).
		WithHint("Use auto, real, scaled:N, manual or steps.")
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
	return Setting{}, engine.Errorf(engine.CodeInvalid, "clock.Parse", "%q has no usable rate.", s).
		WithHint("Use scaled:N with a number above 0 and at most 1000000: scaled:10 is ten times as fast as the wall's time.")
}

// Check reports what is wrong with a setting, as CodeInvalid.
func (s Setting) Check() error {
	const op = "clock.Check"
	known := s.Mode == ""
	for _, m := range Modes() {
		known = known || s.Mode == m
	}
	switch {
	case !known:
		return engine.Errorf(engine.CodeInvalid, op, "There is no clock %q.", string(s.Mode)).WithHint("Use auto, real, scaled, manual or steps.")
	case s.Mode == Scaled && (math.IsNaN(s.Rate) || s.Rate <= 0 || s.Rate > maxRate):
		return engine.Errorf(engine.CodeInvalid, op, "A scaled clock needs a rate above 0 and at most %d.", int(maxRate))
	case s.Mode != Scaled && s.Rate != 0:
		return engine.Errorf(engine.CodeInvalid, op, "Only a scaled clock has a rate.")
	case !s.Now.IsZero():
		return Shows(s.Now)
	}
	return nil
}

// Shows checks that a clock may show a time: JSON has no years of five digits, and nobody means other ones. CodeInvalid.
func Shows(t time.Time) error {
	if year := t.UTC().Year(); year < 1970 || year > 2200 {
		return engine.Errorf(engine.CodeInvalid, "Clock", "A clock shows times from 1970 to 2200.")
	}
	return nil
}

// String is the form that Parse reads.
func (s Setting) String() string {
	switch s.Mode {
	case "":
		return string(Auto)
	case Scaled:
		return "scaled:" + strconv.FormatFloat(s.Rate, 'f', -1, 64)
	}
	return string(s.Mode)
}
