package emulatortest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/capsule"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func (r *report) Failed() bool        { return len(r.errors) > 0 }
func (r *report) Name() string        { return "TestX/y" }
func (r *report) Logf(string, ...any) {}

// A failed test writes a capsule that replays its requests and method calls. A passing test writes none.
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

// A capsule includes scripted transcripts, webhook methods, and Idle. Each world has its own capsule.
func TestCapsuleOfEverything(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SOUNDSTAGE_CAPSULES", dir)
	r := &report{TB: t}
	r.finish(func() {
		s := emulatortest.New(r, emulatortest.WithClock(emulator.ClockManual), emulatortest.WithoutNetwork(),
			emulatortest.WithTranscript(time.Millisecond, engine.Transcription{
				Language: "en", Words: []transcript.Word{{Text: "Hello.", Start: 100 * time.Millisecond, End: 400 * time.Millisecond, Speaker: "Speaker 0"}},
			}))
		for _, w := range []*emulatortest.World{s.World, s.NewWorld(r, control.NewWorld{Name: "elsewhere"})} {
			sink := w.Webhooks.Sink()
			w.Webhooks.SetPolicy(outbox.Policy{Timestamp: outbox.TimestampVirtual})
			w.Webhooks.Hold(outbox.Filter{})
			id := record(t, s.URL, w.Client(), sound)
			w.Clock.AdvanceUntil(id, "completed")
			w.Webhooks.WaitHeld(1)
			require.Equal(t, 1, w.Webhooks.Release())
			w.Clock.Idle()
			sent := sink.Wait(1)[0].ID
			w.Webhooks.Resend(sent)
			w.Webhooks.Duplicate(sent)
			w.Webhooks.Corrupt(sent, outbox.CorruptBody)
			w.Webhooks.Trigger(outbox.Trigger{Event: engine.EventOutputCompleted})
			require.Contains(t, fmt.Sprint(getJSON(t, w.Client(), s.URL+"/v1/recordings/"+id+"/transcript")), "Hello.")
			sink.Close()
		}
		r.Errorf("it fails")
	})
	for _, name := range []string{"TestX_y.capsule.json", "TestX_y.elsewhere.capsule.json"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		c, err := capsule.Parse(raw)
		require.NoError(t, err)
		require.Empty(t, c.Incomplete)
		n := 0
		require.NoError(t, emulator.Replay(t.Context(), c, 0, func(x emulator.Replayed) {
			n++
			require.True(t, x.Same, "%+v", x)
		}))
		require.Equal(t, 15, n)
	}
}
