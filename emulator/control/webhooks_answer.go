package control

import (
	"net/http"
	"strconv"
	"time"
)

// ListenResponse is a listener's report about a request: the response that it got, or in Error why it got none.
type ListenResponse struct {
	Status  int         `json:"status,omitempty"`
	Headers http.Header `json:"headers,omitempty"`
	Body    []byte      `json:"body,omitempty"` // base64 in JSON; the first 2 KiB are kept
	Error   string      `json:"error,omitempty"`
}

// maxRetryAfter limits Retry-After, as in the engine.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns how long to wait before the next attempt, or 0 when the header is missing or invalid.
func (a ListenResponse) RetryAfter() time.Duration {
	text := a.Headers.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(time.Duration(min(n, int(maxRetryAfter.Seconds())))*time.Second, maxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(at), 0), maxRetryAfter)
	}
	return 0
}
