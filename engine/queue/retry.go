package queue

import "time"

// RetryPolicy configures the wait after a failed attempt: a random time up to Base·2ⁿ, at most Cap ("full jitter",
// Brooker, Exponential Backoff And Jitter, 2015).
type RetryPolicy struct {
	Base time.Duration // default 2 s
	Cap  time.Duration // default 10 min
	Max  int           // maximum number of attempts, in addition to the kind's own limit; default none
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Base <= 0 {
		p.Base = 2 * time.Second
	}
	if p.Cap <= 0 {
		p.Cap = 10 * time.Minute
	}
	return p
}

// delay returns the wait after the n-th failed attempt, with random in [0,1). A damaged row may have n < 1.
func (p RetryPolicy) delay(n int, random float64) time.Duration {
	ceiling := p.Cap
	if n < 40 { // a larger shift would overflow
		if d := p.Base << max(n-1, 0); d > 0 && d < p.Cap {
			ceiling = d
		}
	}
	return time.Duration(random * float64(ceiling))
}

// attempts returns the maximum number of attempts of a kind.
func (q *Queue[R, W]) attempts(h Handler[W]) int {
	switch {
	case h.Schedule != nil:
		return len(h.Schedule) + 1
	case q.retry.Max > 0:
		return min(q.retry.Max, h.Attempts)
	}
	return h.Attempts
}

// pause returns the wait after a failed attempt. It varies the waits of a schedule by ±10 %, so that jobs that failed
// together are not retried together.
func (q *Queue[R, W]) pause(j Job, least time.Duration) time.Duration {
	random := q.c.Random()
	wait := q.retry.delay(j.Attempt, random)
	if schedule := q.c.Handlers[j.Kind].Schedule; schedule != nil {
		if s, ok := q.c.Observer.(Spreader); ok {
			random = s.Spread(j)
		}
		wait = time.Duration(float64(schedule[max(j.Attempt-1, 0)]) * (0.9 + 0.2*random))
	}
	return max(wait, least)
}

// Spreader is an Observer that chooses where in ±10 % of its scheduled wait a job is retried, instead of Config.Random. So
// simulations can repeat the waits of concurrent jobs.
type Spreader interface {
	Spread(Job) float64 // in [0,1)
}
