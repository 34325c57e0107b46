// Package slow marks tests that are too slow for make quick and for the race detector. make test runs every test without the
// race detector. It then runs the tests that don't call [Skip] once more with it:
//
//	func TestEveryVoice(t *testing.T) {
//		slow.Skip(t, "it synthesises speech")
//		…
//	}
//
// [Short] is for tests that the race detector should see.
package slow

import "testing"

// Skip skips a test with -short and under the race detector. The detector makes computation and child processes ten times
// slower and finds nothing in them. why says what makes the test slow.
func Skip(t testing.TB, why string) {
	t.Helper()
	switch {
	case Raced:
		t.Skip("runs without the race detector: " + why)
	case testing.Short():
		t.Skip("runs without -short: " + why)
	}
}

// Short skips a test with -short only. why says what makes the test slow.
func Short(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs without -short: " + why)
	}
}
