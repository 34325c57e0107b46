package emulatortest_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/sim"
	"github.com/soundstage-dev/soundstage/engine"
)

// laborious is a Transcriber that works for a while.
type laborious time.Duration

func (s laborious) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	time.Sleep(time.Duration(s))
	return hello, nil
}

// polled returns the status of a recording, and how long the poll took.
func polled(t *testing.T, s *emulatortest.Server, id string) (status string, took time.Duration) {
	began := time.Now()
	return transcriptStatus(t, s.URL, s.Client(), id), time.Since(began)
}

// In mode auto, a poll shows the result of short work, and the current state when the work takes longer than a poll may. However many
// clients poll, each of them waits for the same time.
func TestPollsAreBrief(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, sim.AutoPollWait, 300*time.Millisecond)
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockAuto), emulatortest.WithTranscriber(laborious(sim.AutoPollWait-time.Millisecond)))
		status, _ := polled(t, s, record(t, s.URL, s.Client(), sound))
		require.Equal(t, "completed", status)
	})
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockAuto), emulatortest.WithTranscriber(laborious(10*time.Second)))
		id := record(t, s.URL, s.Client(), sound)
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				status, took := polled(t, s, id)
				require.Equal(t, "processing", status)
				require.Equal(t, sim.AutoPollWait, took)
			})
		}
		all.Wait()
		time.Sleep(10 * time.Second)
		status, took := polled(t, s, id)
		require.Equal(t, "completed", status)
		require.Zero(t, took)
	})
}

// In mode steps, a poll waits for the work that makes the next state. An option makes polls wait longer.
func TestPollsThatWait(t *testing.T) {
	t.Parallel()
	for mode, want := range map[emulator.ClockMode][]string{emulator.ClockAuto: {"completed"}, emulator.ClockSteps: {"queued", "processing", "completed"}} {
		synctest.Test(t, func(t *testing.T) {
			wait := time.Duration(0) // the default suffices in mode steps
			if mode == emulator.ClockAuto {
				wait = time.Minute
			}
			s := emulatortest.New(t, emulatortest.WithClock(mode), emulatortest.WithTranscriber(laborious(4*time.Second)),
				emulatortest.WithOptions(func(o *emulator.Options) { o.PollWait = wait }))
			id := record(t, s.URL, s.Client(), sound)
			for _, status := range want {
				got, _ := polled(t, s, id)
				require.Equal(t, status, got)
			}
		})
	}
}
