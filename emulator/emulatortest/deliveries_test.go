package emulatortest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/emulator/emulatortest"
	"github.com/soundstage-dev/soundstage/emulator/outbox"
	"github.com/soundstage-dev/soundstage/engine"
)

// immediate is how many retries come immediately in mode auto, before the documented schedule.
const immediate = 2

// anEvent sends an event to a new sink. It returns the message's id and the path of the sink's deliveries.
func anEvent(s *emulatortest.Server, answers ...int) (message, deliveries string) {
	sink := s.Webhooks.SinkOf(outbox.Sink{Status: answers})
	message = s.Webhooks.Trigger(outbox.Trigger{Event: engine.EventTranscriptCompleted, Resource: "rec-1"}).Messages[0]
	return message, s.URL + "/v1/webhooks/" + string(sink.Webhook) + "/deliveries"
}

// pollDelivery returns the status of the only delivery, and the number of its attempts.
func pollDelivery(t *testing.T, s *emulatortest.Server, path string) (status string, attempts int) {
	t.Helper()
	d := getJSON(t, s.Client(), path)["deliveries"].([]any)[0].(map[string]any)
	return d["status"].(string), len(d["attempts"].([]any))
}

// attemptsAt returns when a message was attempted, since the first attempt. In a bubble, the wall clock is the bubble's.
func attemptsAt(t *testing.T, s *emulatortest.Server, message string) (at []time.Duration) {
	t.Helper()
	m, err := s.Webhooks.Outbox().Get(message)
	require.NoError(t, err)
	for _, a := range m.Attempts {
		at = append(at, a.At.Sub(m.Attempts[0].At))
	}
	return at
}

// requireSchedule requires waits between attempts, each within 10 %.
func requireSchedule(t *testing.T, want []time.Duration, at []time.Duration) {
	t.Helper()
	require.Len(t, at, len(want)+1)
	for i, wait := range want {
		require.InDelta(t, float64(wait), float64(at[i+1]-at[i]), float64(wait)/10, "retry %d", i+1)
	}
}

// While nobody waits, a running clock retries a delivery through the whole documented schedule, at wall-clock speed. In mode auto, two
// immediate retries come first.
func TestUnattendedDelivery(t *testing.T) {
	t.Parallel()
	for mode, first := range map[emulator.ClockMode]int{emulator.ClockReal: 0, emulator.ClockAuto: immediate} {
		for name, refuse := range map[string]func(*emulatortest.Server){
			"responds": func(*emulatortest.Server) {},
			"absent":   func(s *emulatortest.Server) { s.Webhooks.SetPolicy(outbox.Policy{Drop: 100}) },
		} {
			t.Run(string(mode)+" "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := emulatortest.New(t, emulatortest.WithClock(mode))
					refuse(s)
					message, path := anEvent(s, http.StatusServiceUnavailable)
					time.Sleep(100 * time.Hour)
					synctest.Wait()
					at := attemptsAt(t, s, message)
					requireSchedule(t, engine.DefaultWebhookRetry(), at[first:])
					if first > 0 {
						require.Less(t, at[first], 20*time.Millisecond)
					}
					status, attempts := pollDelivery(t, s, path)
					require.Equal(t, "failed", status)
					require.Equal(t, len(at), attempts)
				})
			})
		}
	}
}

// A receiver that restarts loses no event in mode auto, whatever is polled and however often somebody waits until nothing is left to do.
func TestRestartingReceiver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockAuto))
		s.Webhooks.SetPolicy(outbox.Policy{Drop: 100})
		began := s.Clock.Now()
		message, path := anEvent(s, http.StatusOK)
		for range 4 {
			s.Clock.Idle()
			status, attempts := pollDelivery(t, s, path)
			require.Equal(t, "retrying", status)
			require.Equal(t, 1+immediate, attempts)
			time.Sleep(time.Second)
		}
		require.Less(t, s.Clock.Now().Sub(began), 4500*time.Millisecond, "nothing skips the wait")
		s.Webhooks.SetPolicy(outbox.Policy{}) // the receiver is back
		time.Sleep(2 * time.Second)
		status, _ := pollDelivery(t, s, path)
		require.Equal(t, "delivered", status)
		requireSchedule(t, engine.DefaultWebhookRetry()[:1], attemptsAt(t, s, message)[immediate:])
	})
}

// A test that waits for a delivery needs no time in mode auto while the receiver responds, however often it fails: polls of the deliveries
// and Idle skip the waits. An advance skips them for an absent receiver, too.
func TestAwaitedDelivery(t *testing.T) {
	t.Parallel()
	all := 1 + immediate + len(engine.DefaultWebhookRetry())
	for name, wait := range map[string]func(t *testing.T, s *emulatortest.Server, path string){
		"idle": func(_ *testing.T, s *emulatortest.Server, _ string) { s.Clock.Idle() },
		"polls": func(t *testing.T, s *emulatortest.Server, path string) {
			for range 2 * all {
				_, _ = pollDelivery(t, s, path)
				synctest.Wait()
			}
		},
		"advance": func(t *testing.T, s *emulatortest.Server, path string) {
			s.Webhooks.SetPolicy(outbox.Policy{Drop: 100})
			id := getJSON(t, s.Client(), path)["deliveries"].([]any)[0].(map[string]any)["id"].(string)
			s.Clock.AdvanceUntil(id, "failed")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockAuto))
				began := time.Now()
				_, path := anEvent(s, http.StatusInternalServerError)
				wait(t, s, path)
				require.Less(t, time.Since(began), time.Second)
				status, attempts := pollDelivery(t, s, path)
				require.Equal(t, "failed", status)
				require.Equal(t, all, attempts)
			})
		})
	}
}

// A receiver that fails twice gets the third attempt immediately in mode auto, while nobody waits.
func TestImmediateRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockAuto))
		message, _ := anEvent(s, 500, 503, 200)
		time.Sleep(20 * time.Millisecond)
		m, err := s.Webhooks.Outbox().Get(message)
		require.NoError(t, err)
		require.Equal(t, outbox.StatusDelivered, m.Status)
	})
}

// With a frozen clock, a retry waits for an advance. Each advance to the next event makes one attempt, and nothing else does, not even
// waiting until nothing is left to do.
func TestFrozenDelivery(t *testing.T) {
	t.Parallel()
	s := emulatortest.New(t, emulatortest.WithClock(emulator.ClockManual))
	_, path := anEvent(s, 500)
	for range 3 {
		s.Clock.Idle()
		status, attempts := pollDelivery(t, s, path)
		require.Equal(t, "retrying", status)
		require.Equal(t, 1, attempts)
	}
	for retry := range engine.DefaultWebhookRetry() {
		require.Len(t, fired(s.Clock.Next(), "webhook.deliver"), 1)
		_, attempts := pollDelivery(t, s, path)
		require.Equal(t, retry+2, attempts)
	}
	status, _ := pollDelivery(t, s, path)
	require.Equal(t, "failed", status)
}

// fired returns the events of a kind.
func fired(a control.Advanced, kind string) (of []control.Fired) {
	for _, f := range a.Fired {
		if f.Kind == kind {
			of = append(of, f)
		}
	}
	return of
}
