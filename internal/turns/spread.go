package turns

import (
	"fmt"
	"slices"
)

// Spread is a median and the quartiles around it. Of up to three values, the quartiles are the lowest and the highest.
type Spread struct{ Low, Median, High float64 }

// Of returns the Spread of values, which it doesn't change. Without values, it is zero.
func Of(values []float64) Spread {
	n := len(values)
	if n == 0 {
		return Spread{}
	}
	v := slices.Sorted(slices.Values(values))
	return Spread{Low: v[(n-1)/4], Median: (v[(n-1)/2] + v[n/2]) / 2, High: v[n-1-(n-1)/4]}
}

// String returns the median and the quartiles: "1.23 (1.19–1.31)".
func (s Spread) String() string { return fmt.Sprintf("%.3g (%.3g–%.3g)", s.Median, s.Low, s.High) }

// Reporter is the part of testing.B that Report uses.
type Reporter interface {
	ReportMetric(n float64, unit string)
}

// Report reports the median as a unit of a benchmark, and the quartiles as unit-low and unit-high.
func (s Spread) Report(b Reporter, unit string) {
	b.ReportMetric(s.Median, unit)
	b.ReportMetric(s.Low, unit+"-low")
	b.ReportMetric(s.High, unit+"-high")
}
