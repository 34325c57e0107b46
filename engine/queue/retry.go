package queue

import "time"

// RetryPolicy says when a failed attempt is repeated: after a random time up to Base·2ⁿ, at most Cap ("full jitter", Brooker,
// Exponential Backoff And Jitter, 2015).
type RetryPolicy struct {
	Base time.Duration // default 2 s
	Cap  time.Duration // default 10 min
	Max  int           // most attempts of any job, in addition to its kind's own limit; default none
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

// delay is the wait after the n-th failed attempt, n ≥ 1, with random in [0,1).
func (p RetryPolicy) delay(n int, random float64) time.Duration {
	ceiling := p.Cap
	if n < 40 { // beyond, the shift would overflow
		if d := p.Base << (n - 1); d > 0 && d < p.Cap {
			ceiling = d
		}
	}
	return time.Duration(random * float64(ceiling))
}

// attempts is how many attempts a job of a kind has.
func (q *Queue[R, W]) attempts(h Handler[W]) int {
	switch {
	case h.Schedule != nil:
		return len(h.Schedule) + 1
	case q.retry.Max > 0:
		return min(q.retry.Max, h.Attempts)
	}
	return h.Attempts
}

// pause is how long a job waits after a failed attempt. Waits of a schedule are spread by a tenth to either side, so that what failed
// together is not repeated together.
func (q *Queue[R, W]) pause(j Job, least time.Duration) time.Duration {
	random := q.c.Random()
	wait := q.retry.delay(j.Attempt, random)
	if schedule := q.c.Handlers[j.Kind].Schedule; schedule != nil {
		wait = time.Duration(float64(schedule[j.Attempt-1]) * (0.9 + 0.2*random))
	}
	return max(wait, least)
}
