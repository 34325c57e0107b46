// Package slow says which tests are too slow for make quick and for the race detector. make test runs each test once without the
// detector, and each test that doesn't call [Skip] once more with it.
package slow

import "testing"

// Skip skips a test with -short, and under the race detector, which makes computing and other programs' work ten times slower and finds
// nothing to watch in it. why says what makes the test slow.
func Skip(t testing.TB, why string) {
	t.Helper()
	switch {
	case Raced:
		t.Skip("runs without the race detector: " + why)
	case testing.Short():
		t.Skip("runs without -short: " + why)
	}
}
