package emulatortest_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
)

func (r *report) Failed() bool        { return len(r.errors) > 0 }
func (r *report) Name() string        { return "TestX/y" }
func (r *report) Logf(string, ...any) {}

// A failed test leaves a capsule that comes again as it was, with what its methods did; a passing one leaves none.
func TestCapsule(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SOUNDSTAGE_CAPSULES", dir)
	path := filepath.Join(dir, "TestX_y.capsule.json")
	run := func(fail bool) {
		r := &report{TB: t}
		r.finish(func() {
			s := emulatortest.New(r, emulatortest.WithClock(emulator.ClockManual), emulatortest.WithoutNetwork())
			s.Faults.Next("listSpaces").Status(503)
			status, _ := fetch(t, s.Client(), "GET", s.URL+"/v1/spaces", nil, "")
			require.Equal(t, 503, status)
			id := record(t, s.URL, s.Client(), sound)
			s.Clock.AdvanceUntil(id, "completed")
			s.Clock.Advance(time.Minute)
			getJSON(t, s.Client(), s.URL+"/v1/recordings/"+id)
			if fail {
				r.Errorf("it fails")
			}
		})
	}
	run(false)
	require.NoFileExists(t, path)
	run(true)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	c, err := capsule.Parse(raw)
	require.NoError(t, err)
	require.Len(t, c.Requests, 8)
	n := 0
	require.NoError(t, emulator.Replay(t.Context(), c, 0, func(x emulator.Replayed) {
		n++
		require.True(t, x.Same, "%+v", x)
	}))
	require.Equal(t, 8, n)
}
