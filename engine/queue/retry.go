package queue

import "time"

// RetryPolicy configures the wait after a failed attempt: a random time up to Base·2ⁿ, at most Cap ("full jitter",
// Brooker, Exponential Backoff And Jitter, 2015).
type RetryPolicy struct {
	Base time.Duration // default 2 s
	Cap  time.Duration // default 10 min
	Max  int           // maximum number of attempts, in addition to the kind's own limit; default none
	// Outage is how long a job whose Handler has Outages waits for a service that can't work now, in total: attempts that fail because of
	// that are repeated beyond the kind's limit, and don't count towards it. The default is 10 min, or none with Max; negative for none.
	Outage time.Duration
	// Longest is the longest RetryAfter that a job waits for; if an error asks for more, no attempt follows. Kinds with a Schedule wait for
	// any. Default no limit.
	Longest time.Duration
}

// longestOutageWait is the longest wait for a service that can't work now. A service that is back is noticed after that.
const longestOutageWait = time.Minute

// minSpread is the least share of a scheduled wait that a job waits; see Queue.spread.
const minSpread = 0.9

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Base <= 0 {
		p.Base = 2 * time.Second
	}
	if p.Cap <= 0 {
		p.Cap = 10 * time.Minute
	}
	if p.Outage == 0 && p.Max <= 0 {
		p.Outage = 10 * time.Minute
	}
	return p
}

// outageWait returns the wait after the n-th failure because of an outage, counted from 1: Base·2ⁿ⁻¹, at most a minute. ok is false if the
// waits before it cover the outage already, each at its shortest.
func (p RetryPolicy) outageWait(n int) (wait time.Duration, ok bool) {
	covered := time.Duration(0)
	wait = min(p.Base, longestOutageWait)
	for range n - 1 {
		covered += time.Duration(minSpread * float64(wait))
		if covered >= p.Outage {
			return 0, false
		}
		wait = min(2*wait, longestOutageWait)
	}
	return wait, p.Outage > 0
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

// mayRetry reports whether another attempt follows one that failed. j already counts it.
func (q *Queue[R, W]) mayRetry(j Job, f Failure) bool {
	if !f.Retryable {
		return false
	}
	h := q.c.Handlers[j.Kind]
	if longest := q.retry.Longest; longest > 0 && f.RetryAfter > longest && h.Schedule == nil {
		return false
	}
	if f.Outage && h.Outages {
		if _, ok := q.retry.outageWait(j.Outages); ok {
			return true
		}
		return j.Attempt < q.attempts(h)
	}
	return j.Attempt-j.Outages < q.attempts(h)
}

// pause returns the wait after a failed attempt.
func (q *Queue[R, W]) pause(j Job, f Failure) time.Duration {
	random := q.c.Random()
	h := q.c.Handlers[j.Kind]
	wait := q.retry.delay(j.Attempt-j.Outages, random)
	switch {
	case h.Schedule != nil:
		if s, ok := q.c.Observer.(Spreader); ok {
			random = s.Spread(j)
		}
		wait = spread(h.Schedule[max(j.Attempt-1, 0)], random)
	case f.Outage && h.Outages:
		if w, ok := q.retry.outageWait(j.Outages); ok {
			wait = spread(w, random)
		}
	}
	return max(wait, f.RetryAfter)
}

// spread varies a wait by ±10 %, so that jobs that failed together are not retried together. random is in [0,1).
func spread(wait time.Duration, random float64) time.Duration {
	return time.Duration(float64(wait) * (minSpread + 2*(1-minSpread)*random))
}

// Spreader is an Observer that chooses where in ±10 % of its scheduled wait a job is retried, instead of Config.Random. So
// simulations can repeat the waits of concurrent jobs.
type Spreader interface {
	Spread(Job) float64 // in [0,1)
}
