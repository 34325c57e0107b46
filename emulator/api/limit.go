package api

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// RateWindow is the longest time of a Limiter's window.
const RateWindow = time.Minute

const rateMessage = "Too many requests: the limit of your plan is %d per minute."

// Limiter counts requests by key, in windows. A window begins with the first request of a key that has none, at a time now, and ends at
// now.Add(RateWindow).Truncate(time.Second): X-RateLimit-Reset has whole seconds. It is over when the time is its end or later.
// Implementations that several processes share make limits exact among them.
type Limiter interface {
	// Take counts a request, unless limit requests were counted in the key's window. ok is whether it was counted, left is how many more
	// the window allows, at least 0, and end is when it ends. An error rejects the request.
	Take(ctx context.Context, key string, limit int, now time.Time) (left int, end time.Time, ok bool, err error)
}

// rates limits the requests of each API key.
type rates struct {
	limits  map[engine.Tier]int // missing or 0: no limit
	limiter Limiter
}

// take counts a request and reports the remaining number in headers. CodeRateLimited when the window is used up; errors of the Limiter.
func (r rates) take(ctx context.Context, w http.ResponseWriter, c engine.Caller, clock func() time.Time) error {
	limit := r.limits[c.Tier]
	if limit <= 0 {
		return nil
	}
	now := clock()
	left, end, ok, err := r.limiter.Take(ctx, string(c.KeyID), limit, now)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(end.Unix(), 10))
	if ok {
		return nil
	}
	wait := int64((end.Sub(now) + time.Second - 1) / time.Second)
	h.Set("Retry-After", strconv.FormatInt(max(1, wait), 10))
	return engine.Errorf(engine.CodeRateLimited, "limit", rateMessage, limit).WithHint("Wait for the number of seconds in the Retry-After header.")
}
