package queue_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

var (
	errAway = engine.Errorf(engine.CodeUnavailable, "", "The server is away.").InOutage()
	errBad  = engine.Errorf(engine.CodeUnavailable, "", "The answer is bad.").Transient()
)

// outageStage returns a queue whose jobs call fn with the time since the first attempt. Its kind allows two attempts.
func outageStage(t *testing.T, c config, outages bool, fn func(since time.Duration) error) (*stage, *[]time.Duration) {
	t.Helper()
	var began time.Time
	tries := &[]time.Duration{}
	h := does(func(context.Context, *queue.Attempt) error {
		if began.IsZero() {
			began = time.Now()
		}
		*tries = append(*tries, time.Since(began))
		return fn(time.Since(began))
	})
	h.Outages, h.Attempts = outages, 2
	return newStage(t, c, h), tries
}

// A service may be away for ten minutes, whatever the jitter, and after that the job runs. No worker waits in the meantime.
func TestOutageIsCovered(t *testing.T) {
	for _, random := range []float64{0, 0.5, 0.999999} {
		t.Run(fmt.Sprint(random), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, tries := outageStage(t, config{Random: func() float64 { return random }}, true, func(since time.Duration) error {
					if since < 10*time.Minute {
						return errAway
					}
					return nil
				})
				defer s.start()()
				id := s.enqueue("r", "")
				time.Sleep(9 * time.Minute)
				synctest.Wait()
				require.Equal(t, queue.Retrying, s.job(id).Status)
				require.Empty(t, s.job(id).LeaseOwner, "a job that waits has no worker")
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				j := s.job(id)
				require.Equal(t, queue.Completed, j.Status)
				require.Equal(t, len(*tries), j.Attempt)
				require.Equal(t, len(*tries)-1, j.Outages)
				require.Less(t, len(*tries), 20, "a job must not hammer a service")
				require.Less(t, (*tries)[len(*tries)-1], 11*time.Minute+10*time.Second, "a service that is back is noticed within about a minute")
			})
		})
	}
}

// A service that stays away fails the job after ten minutes, or after the time that is configured.
func TestOutageEnds(t *testing.T) {
	for name, c := range map[string]struct {
		policy      queue.RetryPolicy
		outages     bool
		least, most time.Duration
	}{
		"default":                     {queue.RetryPolicy{}, true, 10 * time.Minute, 14 * time.Minute},
		"an hour":                     {queue.RetryPolicy{Outage: time.Hour}, true, time.Hour, 75 * time.Minute},
		"a second, so two attempts":   {queue.RetryPolicy{Outage: time.Second}, true, time.Second, 10 * time.Second},
		"none":                        {queue.RetryPolicy{Outage: -1}, true, 0, 2 * time.Second},
		"none with Max":               {queue.RetryPolicy{Max: 2}, true, 0, 2 * time.Second},
		"Max and Outage":              {queue.RetryPolicy{Max: 2, Outage: time.Hour}, true, time.Hour, 75 * time.Minute},
		"another kind":                {queue.RetryPolicy{}, false, 0, 2 * time.Second},
		"a base longer than a minute": {queue.RetryPolicy{Base: time.Hour}, true, 10 * time.Minute, 14 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, tries := outageStage(t, config{Retry: c.policy}, c.outages, func(time.Duration) error { return errAway })
				defer s.start()()
				id := s.enqueue("r", "")
				time.Sleep(48 * time.Hour)
				synctest.Wait()
				require.Equal(t, queue.Failed, s.job(id).Status)
				require.GreaterOrEqual(t, len(*tries), 2, "a kind's own attempts are the least")
				last := (*tries)[len(*tries)-1]
				require.GreaterOrEqual(t, last, c.least)
				require.LessOrEqual(t, last, c.most)
			})
		})
	}
}

// Attempts that fail because of an outage don't use up those of the kind: a bad answer of a service that is back is retried.
func TestOutageUsesUpNoAttempts(t *testing.T) {
	for name, c := range map[string]struct {
		bad  int
		want queue.Status
	}{"one bad answer": {1, queue.Completed}, "two bad answers": {2, queue.Failed}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				bad := 0
				s, _ := outageStage(t, config{}, true, func(since time.Duration) error {
					if since < 5*time.Minute {
						return errAway
					}
					if bad++; bad <= c.bad {
						return errBad
					}
					return nil
				})
				defer s.start()()
				id := s.enqueue("r", "")
				time.Sleep(time.Hour)
				synctest.Wait()
				require.Equal(t, c.want, s.job(id).Status)
				require.Equal(t, 2, s.job(id).Attempt-s.job(id).Outages)
			})
		})
	}
}

// A wait that the service asks for is kept.
func TestOutageKeepsRetryAfter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, tries := outageStage(t, config{}, true, func(since time.Duration) error {
			if since < time.Hour {
				return errAway.After(3 * time.Hour)
			}
			return nil
		})
		defer s.start()()
		s.enqueue("r", "")
		time.Sleep(4 * time.Hour)
		synctest.Wait()
		require.Equal(t, []time.Duration{0, 3 * time.Hour}, *tries)
	})
}

// A job gives up at once if it would have to wait for longer than the policy allows.
func TestOutageBeyondLongest(t *testing.T) {
	for after, want := range map[time.Duration]queue.Status{time.Minute: queue.Completed, time.Minute + 1: queue.Failed} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s, _ := outageStage(t, config{Retry: queue.RetryPolicy{Longest: time.Minute}}, true, func(since time.Duration) error {
					if since == 0 {
						return errAway.After(after)
					}
					return nil
				})
				defer s.start()()
				id := s.enqueue("r", "")
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				require.Equal(t, want, s.job(id).Status)
			})
		})
	}
}
