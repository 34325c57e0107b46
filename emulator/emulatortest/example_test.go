package emulatortest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
)

// A test starts a sandbox, and its client sends the secret.
func ExampleNew() {
	test := func(t testing.TB) {
		sandbox := emulatortest.New(t)
		resp, err := sandbox.Client().Get(sandbox.URL + "/v1/spaces")
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		fmt.Println(resp.Status)
	}
	runTest(test)
	// Output: 200 OK
}

// The third request of an operation fails, once.
func ExampleFaults_Next() {
	test := func(t testing.TB) {
		sandbox := emulatortest.New(t, emulatortest.WithoutNetwork())
		sandbox.Faults.Next("listSpaces").Nth(3).Status(503)
		for range 4 {
			resp, err := sandbox.Client().Get(sandbox.URL + "/v1/spaces")
			require.NoError(t, err)
			_ = resp.Body.Close()
			fmt.Println(resp.StatusCode)
		}
		fmt.Println(sandbox.Requests.Count(traffic.Match{Op: "listSpaces"}), "requests")
	}
	runTest(test)
	// Output:
	// 200
	// 200
	// 503
	// 200
	// 4 requests
}

// A fixture creates recordings, and a frozen clock moves when the test advances it.
func ExampleWithClock() {
	test := func(t testing.TB) {
		sandbox := emulatortest.New(t, emulatortest.WithoutNetwork(), emulatortest.WithClock(emulator.ClockManual), emulatortest.WithFixtures(`{
			"version": 1,
			"spaces": [{"id": "default", "recordings": [
				{"id": "0195d3a0-0000-4000-8000-000000000001", "title": "Pilot", "media": {"speech": "6s"}}
			]}]
		}`))
		sandbox.Clock.AdvanceUntil("0195d3a0-0000-4000-8000-000000000001", "completed")
		resp, err := sandbox.Client().Get(sandbox.URL + "/v1/recordings/0195d3a0-0000-4000-8000-000000000001")
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		fmt.Println(resp.StatusCode == http.StatusOK, strings.Contains(string(body), `"transcript_status":"completed"`))
	}
	runTest(test)
	// Output: true true
}

// runTest runs a test as `go test` does: its cleanups last.
func runTest(test func(t testing.TB)) { (&exampleTest{}).run(test) }

// exampleTest is a testing.TB for the tests in examples. It panics when a test fails.
type exampleTest struct {
	testing.TB // nil
	cleanups   []func()
}

func (x *exampleTest) run(test func(t testing.TB)) {
	test(x)
	for len(x.cleanups) > 0 {
		last := x.cleanups[len(x.cleanups)-1]
		x.cleanups = x.cleanups[:len(x.cleanups)-1]
		last()
	}
}

func (x *exampleTest) Helper()                           {}
func (x *exampleTest) Name() string                      { return "Example" }
func (x *exampleTest) Failed() bool                      { return false }
func (x *exampleTest) Cleanup(f func())                  { x.cleanups = append(x.cleanups, f) }
func (x *exampleTest) Logf(string, ...any)               {}
func (x *exampleTest) FailNow()                          { panic("the test failed") }
func (x *exampleTest) Errorf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
func (x *exampleTest) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
