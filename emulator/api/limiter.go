package api

import (
	"context"
	"sync"
	"time"
)

// maxWindows is the number of windows that triggers the removal of expired ones.
const maxWindows = 10_000

// windows is the Limiter of one process.
type windows struct {
	mu   sync.Mutex
	seen map[string]*window
}

type window struct {
	end  time.Time
	used int
}

// Take implements Limiter. The error is nil.
func (l *windows) Take(_ context.Context, key string, limit int, now time.Time) (left int, end time.Time, ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	win := l.of(key, now)
	if ok = win.used < limit; ok {
		win.used++
	}
	return max(0, limit-win.used), win.end, ok, nil
}

// of returns the current window of a key.
func (l *windows) of(key string, now time.Time) *window {
	if win, ok := l.seen[key]; ok && now.Before(win.end) {
		return win
	}
	if l.seen == nil {
		l.seen = map[string]*window{}
	}
	if len(l.seen) >= maxWindows {
		for key, win := range l.seen {
			if !now.Before(win.end) {
				delete(l.seen, key)
			}
		}
	}
	win := &window{end: now.Add(RateWindow).Truncate(time.Second)}
	l.seen[key] = win
	return win
}
