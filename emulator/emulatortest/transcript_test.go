package emulatortest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// hello is a transcription of one word.
var hello = engine.Transcription{
	Language: "en", Words: []transcript.Word{{Text: "Hello.", Start: 100 * time.Millisecond, End: 400 * time.Millisecond, Speaker: "Speaker 0"}},
}

// delays are times that a transcription takes: shorter and longer than that of the hosted service, and longer than any patience.
var delays = []time.Duration{time.Millisecond, 15 * time.Second, time.Hour}

// With a frozen clock, a transcription waits for the clock and takes exactly the given time.
func TestTranscriptManual(t *testing.T) {
	t.Parallel()
	for _, delay := range delays {
		t.Run(delay.String(), func(t *testing.T) {
			t.Parallel()
			s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual), emulatortest.WithTranscript(delay, hello))
			id := record(t, s.URL, s.Client(), sound)
			began := s.Clock.AdvanceUntil(id, "processing").Now
			require.Equal(t, "processing", transcriptStatus(t, s.URL, s.Client(), id))
			s.Clock.Advance(delay - time.Microsecond)
			require.Equal(t, "processing", transcriptStatus(t, s.URL, s.Client(), id))
			require.Equal(t, delay, s.Clock.AdvanceUntil(id, "completed").Now.Sub(began))
			require.Equal(t, "completed", transcriptStatus(t, s.URL, s.Client(), id))
		})
	}
}

// In mode auto, the first poll shows the result. In mode steps, each poll shows the next state. Other clocks need their own time.
func TestTranscriptPolled(t *testing.T) {
	t.Parallel()
	for mode, want := range map[emulator.ClockMode][]string{
		emulator.ClockAuto:  {"completed"},
		emulator.ClockSteps: {"queued", "processing", "completed"},
	} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := emulatortest.New(t, emulatortest.WithClock(mode), emulatortest.WithTranscript(time.Hour, hello),
				emulatortest.WithOptions(func(o *emulator.Options) { o.PollWait = time.Minute })) // the machine may be busy
			id := record(t, s.URL, s.Client(), sound)
			for _, status := range want {
				require.Equal(t, status, transcriptStatus(t, s.URL, s.Client(), id))
			}
		})
	}
	t.Run("scaled", func(t *testing.T) {
		t.Parallel()
		s := emulatortest.New(t, emulatortest.WithClock("scaled:5000"), emulatortest.WithTranscript(time.Hour, hello))
		began := s.Clock.Now() // a busy machine stores the recording in many seconds of this clock
		id := record(t, s.URL, s.Client(), sound)
		s.Wait.Recording(id, "completed")
		require.GreaterOrEqual(t, s.Clock.Now().Sub(began), time.Hour)
	})
}

// Transcriptions that wait for the clock don't wait for each other: twenty take as long as one, also in a bubble.
func TestTranscriptsOverlap(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, opts ...emulatortest.Option) time.Duration {
		s := emulatortest.New(t, append(opts, emulatortest.WithTranscript(time.Hour, hello))...)
		began := s.Clock.Now()
		var ids []string
		for range 20 {
			ids = append(ids, record(t, s.URL, s.Client(), sound))
		}
		if s.Clock.State().Mode == "manual" {
			s.Clock.Advance(time.Hour + time.Second)
		}
		for _, id := range ids {
			s.Wait.Recording(id, "completed")
		}
		return s.Clock.Now().Sub(began)
	}
	require.Equal(t, time.Hour+time.Second, test(t, emulatortest.WithClock(emulator.ClockManual)))
	synctest.Test(t, func(t *testing.T) { require.Equal(t, time.Hour+time.Second, test(t)) })
}
