package api

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	rateWindow  = time.Minute
	maxWindows  = 10_000 // number of windows that triggers the removal of expired ones
	rateMessage = "Too many requests: the limit of your plan is %d per minute."
)

// limiter counts the requests of each key in windows of a minute. A window starts with the key's first request.
type limiter struct {
	limits map[engine.Tier]int // missing or 0: no limit
	mu     sync.Mutex
	seen   map[engine.KeyID]*window
}

type window struct {
	end  time.Time
	used int
}

// take counts a request and reports the remaining number in headers. It returns CodeRateLimited when the window is used up.
func (l *limiter) take(w http.ResponseWriter, c engine.Caller, now time.Time) error {
	limit := l.limits[c.Tier]
	if limit <= 0 {
		return nil
	}
	l.mu.Lock()
	win := l.windowOf(c.KeyID, now)
	over := win.used >= limit
	if !over {
		win.used++
	}
	left, end := limit-win.used, win.end
	l.mu.Unlock()
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(end.Unix(), 10))
	if !over {
		return nil
	}
	wait := int64((end.Sub(now) + time.Second - 1) / time.Second)
	h.Set("Retry-After", strconv.FormatInt(max(1, wait), 10))
	return engine.Errorf(engine.CodeRateLimited, "limit", rateMessage, limit).WithHint("Wait for the number of seconds in the Retry-After header.")
}

// windowOf returns the current window of a key.
func (l *limiter) windowOf(id engine.KeyID, now time.Time) *window {
	if win, ok := l.seen[id]; ok && now.Before(win.end) {
		return win
	}
	if l.seen == nil {
		l.seen = map[engine.KeyID]*window{}
	}
	if len(l.seen) >= maxWindows {
		for id, win := range l.seen {
			if !now.Before(win.end) {
				delete(l.seen, id)
			}
		}
	}
	// X-RateLimit-Reset has whole seconds, so the window ends on a whole second.
	win := &window{end: now.Add(rateWindow).Truncate(time.Second)}
	l.seen[id] = win
	return win
}
