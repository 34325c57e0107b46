package emulatortest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/emulator/traffic"
	"github.com/soundstage-dev/soundstage/engine"
)

// everywhere runs a test over the network, in memory, and in a bubble.
func everywhere(t *testing.T, fn func(t *testing.T, opts ...emulatortest.Option)) {
	t.Parallel()
	t.Run("network", func(t *testing.T) { t.Parallel(); fn(t) })
	t.Run("memory", func(t *testing.T) { t.Parallel(); fn(t, emulatortest.WithoutNetwork()) })
	t.Run("bubble", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) { fn(t) })
	})
}

// A frozen clock can be advanced by a duration, to a time, to the next event, and until a resource has a status.
func TestClock(t *testing.T) {
	everywhere(t, func(t *testing.T, opts ...emulatortest.Option) {
		start := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
		s := emulatortest.New(t, append(opts, emulatortest.WithClock(emulator.ClockManual), emulatortest.WithStart(start))...)
		require.Equal(t, start, s.Clock.Now())
		id := record(t, s.URL, s.Client(), sound)
		s.Clock.Idle()
		require.Equal(t, "queued", transcriptStatus(t, s.URL, s.Client(), id))
		require.NotEmpty(t, s.Clock.State().Pending)
		require.NotEmpty(t, s.Clock.Next().Fired)
		require.Equal(t, start.Add(time.Second), s.Clock.Now())
		require.Equal(t, "processing", transcriptStatus(t, s.URL, s.Client(), id))
		s.Clock.AdvanceUntil(id, "completed")
		require.Equal(t, start.Add(3*time.Second), s.Clock.Now())
		require.Equal(t, "completed", transcriptStatus(t, s.URL, s.Client(), id))
		require.Equal(t, start.Add(time.Hour), s.Clock.AdvanceTo(start.Add(time.Hour)).Now)
		require.Equal(t, start.Add(2*time.Hour), s.Clock.Advance(time.Hour).Now)
		s.Clock.Set("scaled:1000")
		require.Equal(t, "scaled", s.Clock.State().Mode)
		require.InDelta(t, 1000, s.Clock.State().Rate, 0)
	})
}

// Faults affect the requests that they match, in memory as over the network.
func TestFaults(t *testing.T) {
	everywhere(t, func(t *testing.T, opts ...emulatortest.Option) {
		s := emulatortest.New(t, opts...)
		c, spaces, hooks := s.Client(), s.URL+"/v1/spaces", s.URL+"/v1/webhooks"
		s.Faults.Next("listSpaces").Times(2).Header("Retry-After", "7").Status(503)
		for range 2 {
			resp, err := c.Get(spaces)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, 503, resp.StatusCode)
			require.Equal(t, "7", resp.Header.Get("Retry-After"))
		}
		s.Faults.Next("/v1/spaces").Latency(30 * time.Millisecond)
		began := time.Now()
		getJSON(t, c, spaces)
		require.GreaterOrEqual(t, time.Since(began), 30*time.Millisecond)

		create := func() error {
			body := slowly(`{"url":"https://sink.soundstage.invalid/","events":["output.completed"]}`)
			req, err := http.NewRequestWithContext(t.Context(), "POST", hooks, body)
			require.NoError(t, err)
			req.Header.Set("Content-Type", "application/json")
			resp, err := c.Do(req)
			if err == nil {
				require.Equal(t, 201, resp.StatusCode)
				require.NoError(t, resp.Body.Close())
			}
			return err
		}
		count := func() int { return len(getJSON(t, c, hooks)["webhooks"].([]any)) }
		s.Faults.Next("POST /v1/webhooks").ResetAfter(4)
		require.Error(t, create())
		require.Equal(t, 0, count(), "the request had no effect")
		s.Faults.Next("createWebhook").CommitThenDrop()
		require.Error(t, create())
		require.Equal(t, 1, count(), "the request took effect")
		require.NoError(t, create())

		s.Faults.Next("listSpaces").Truncate(10)
		resp, err := c.Get(spaces)
		require.NoError(t, err)
		raw, err := io.ReadAll(resp.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Len(t, raw, 10)
		require.NoError(t, resp.Body.Close())

		fault := s.Faults.Add(traffic.Fault{Match: traffic.FaultMatch{Op: "*"}, Do: traffic.Do{Status: 500}})
		s.Faults.Remove(fault.ID)
		remaining, fired := s.Faults.List()
		require.Empty(t, remaining)
		require.Len(t, fired, 5)
		s.Faults.Next("createWebhook").Nth(3).Status(500)
		s.Faults.Clear()
	})
}

// slowly returns a reader that returns one byte at a time, like a slow client.
func slowly(text string) io.Reader { return iotest.OneByteReader(strings.NewReader(text)) }

// Requests can be found, counted, waited for, and cleared.
func TestRequests(t *testing.T) {
	everywhere(t, func(t *testing.T, opts ...emulatortest.Option) {
		s := emulatortest.New(t, opts...)
		done := make(chan []*traffic.Entry)
		go func() { done <- s.Requests.Wait(traffic.Match{Op: "listSpaces"}, 2) }()
		for range 2 {
			getJSON(t, s.Client(), s.URL+"/v1/spaces")
		}
		require.Len(t, <-done, 2)
		last := s.Requests.Last()
		status, _ := fetch(t, s.ClientOf(""), "GET", s.URL+"/v1/recordings?limit=3", nil, "")
		require.Equal(t, 401, status)
		require.Equal(t, 1, s.Requests.Count(traffic.Match{Status: "4xx"}))
		found := s.Requests.Find(traffic.Match{Since: last})
		require.Len(t, found, 1)
		require.Equal(t, "listRecordings", found[0].Op)
		require.Equal(t, "limit=3", found[0].Query)
		require.Equal(t, "Go-http-client/1.1", found[0].RequestHeaders.Get("User-Agent"))
		require.Equal(t, "HTTP/1.1", found[0].Proto)
		var har struct{ Log struct{ Entries []any } }
		require.NoError(t, json.Unmarshal(s.Requests.HAR(traffic.Match{}), &har))
		require.Len(t, har.Log.Entries, 3)
		s.Requests.Clear()
		require.Zero(t, s.Requests.Count(traffic.Match{}))
	})
}

// A sink receives signed webhooks. Held messages arrive after a release, and copies arrive on request.
func TestWebhooks(t *testing.T) {
	everywhere(t, func(t *testing.T, opts ...emulatortest.Option) {
		s := emulatortest.New(t, opts...)
		sink := s.Webhooks.Sink(engine.EventTranscriptCompleted)
		id := record(t, s.URL, s.Client(), sound)
		s.Wait.Recording(id, "completed")
		got := sink.Wait(1)
		sink.Verified(got)
		require.Equal(t, id, got[0].Resource)
		require.True(t, s.Webhooks.Resend(got[0].ID).OK())
		require.Len(t, s.Webhooks.Duplicate(got[0].ID), 2)
		require.Error(t, sink.Verify(s.Webhooks.Corrupt(got[0].ID, outbox.CorruptSignature)))
		require.Error(t, sink.Verify(s.Webhooks.Corrupt(got[0].ID, outbox.CorruptTimestamp)))

		s.Webhooks.Hold(outbox.Filter{})
		for range 2 {
			s.Webhooks.Trigger(outbox.Trigger{Event: engine.EventTranscriptCompleted})
		}
		s.Webhooks.WaitHeld(2)
		held := s.Webhooks.Outbox().Holding().Held
		require.Equal(t, 1, s.Webhooks.Release(held[1].ID))
		require.Len(t, s.Webhooks.Wait(engine.EventTranscriptCompleted, 2), 2)
		require.Equal(t, 1, s.Webhooks.Release())
		require.Len(t, sink.Wait(3), 3)
		require.Len(t, sink.Messages(), 3)
		sink.Close()
	})
}

// A fixture of New applies to every new world and after a reset. Load applies a fixture later.
func TestFixtures(t *testing.T) {
	everywhere(t, func(t *testing.T, opts ...emulatortest.Option) {
		const yaml = "version: 1\nspaces:\n  - name: Podcasts\n"
		s := emulatortest.New(t, append(opts, emulatortest.WithFixtures(yaml))...)
		count := func(w *emulatortest.World) int {
			return len(getJSON(t, w.Client(), s.URL+"/v1/spaces")["spaces"].([]any))
		}
		require.Equal(t, 2, count(s.World))
		w := s.NewWorld(t, control.NewWorld{})
		require.Equal(t, 2, count(w))
		require.Len(t, w.Load(`{"version":1,"spaces":[{"name":"More"}]}`).Spaces, 1)
		require.Equal(t, 3, count(w))
		w.Reset()
		require.Equal(t, 2, count(w))
		require.Equal(t, 2, count(s.World))
	})
}

// Calls that can't succeed and faults that don't happen fail the test with a message.
func TestGroupFailures(t *testing.T) {
	t.Parallel()
	for want, fn := range map[string]func(t testing.TB){
		"Unfired faults: fault-1 (createWebhook: status 500, 0 matching requests).": func(t testing.TB) {
			emulatortest.New(t).Faults.Next("createWebhook").Status(500)
		},
		"Unfired faults: fault-1 (deleteWebhook": func(t testing.TB) {
			emulatortest.New(t).NewWorld(t, control.NewWorld{}).Faults.Next("deleteWebhook").Status(500)
		},
		"Unfired faults: fault-1 (listSpaces": func(t testing.TB) {
			s := emulatortest.New(t)
			s.Faults.Next("listSpaces").Status(500)
			s.Reset()
		},
		"": func(t testing.TB) {
			emulatortest.New(t, emulatortest.WithUnfiredFaults()).Faults.Next("createWebhook").Status(500)
		},
		"did you mean listSpaces?": func(t testing.TB) { emulatortest.New(t).Faults.Next("listSpace").Status(500) },
		"A real clock can't be advanced": func(t testing.TB) {
			emulatortest.New(t, emulatortest.WithClock(emulator.ClockReal)).Clock.Advance(time.Second)
		},
		"The clock can't go backwards": func(t testing.TB) {
			emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual)).Clock.Advance(-time.Second)
		},
		"advancing the clock until nothing is completed: There is no resource": func(t testing.TB) {
			emulatortest.New(t).Clock.AdvanceUntil("nothing", "completed")
		},
		`setting the clock: "sundial" is not a clock mode`: func(t testing.TB) { emulatortest.New(t).Clock.Set("sundial") },
		"jobs remain after 10ms: transcript.transcribe": func(t testing.TB) {
			s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockReal), emulatortest.WithWaitLimit(10*time.Millisecond))
			record(t, s.URL, s.Client(), sound)
			s.Clock.Idle()
		},
		"received 0 of 1 requests within 10ms": func(t testing.TB) {
			emulatortest.New(t, emulatortest.WithWaitLimit(10*time.Millisecond)).Requests.Wait(traffic.Match{}, 1)
		},
		"Received 0 of 1 messages within 10ms": func(t testing.TB) {
			emulatortest.New(t, emulatortest.WithWaitLimit(10*time.Millisecond)).Webhooks.Wait("", 1)
		},
		"waiting for webhooks: There is no event": func(t testing.TB) { emulatortest.New(t).Webhooks.Wait("x", 1) },
		"fixture:1:":    func(t testing.TB) { emulatortest.New(t, emulatortest.WithFixtures("version: 2\n")) },
		"can't be read": func(t testing.TB) { emulatortest.New(t).Load("nothing.yaml") },
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			r := &report{TB: t}
			failures := r.finish(func() { fn(r) })
			if want == "" {
				require.Empty(t, failures)
				return
			}
			require.Len(t, failures, 1)
			require.Contains(t, failures[0], want)
		})
	}
}
