package emulatortest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// A complete test of a client program: its first attempt fails, the transcript takes time, and the webhook is signed.
func TestTour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual))
		sink := s.Webhooks.Sink(engine.EventTranscriptCompleted)
		s.Faults.Next("createUpload").Status(http.StatusServiceUnavailable)

		status, _ := fetch(t, s.Client(), "POST", s.URL+"/v1/uploads", []byte(`{}`), "application/json")
		require.Equal(t, http.StatusServiceUnavailable, status)
		id := record(t, s.URL, s.Client(), sound)
		s.Clock.AdvanceUntil(id, "completed")

		sink.Verified(sink.Wait(1))
		require.Equal(t, 2, s.Requests.Count(traffic.Match{Op: "createUpload"}))
		require.Equal(t, 3*time.Second, s.Clock.Now().Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
	})
}
