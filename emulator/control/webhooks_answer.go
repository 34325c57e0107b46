package control

import (
	"net/http"
	"strconv"
	"time"
)

// ListenAnswer is what a listener tells of a request: the answer that it got, or in Error why it got none.
type ListenAnswer struct {
	Status  int         `json:"status,omitempty"`
	Headers http.Header `json:"headers,omitempty"`
	Body    []byte      `json:"body,omitempty"` // base64; its first 2 KiB are kept
	Error   string      `json:"error,omitempty"`
}

// maxRetryAfter bounds how long an answer may ask to wait, as the engine does.
const maxRetryAfter = 24 * time.Hour

// RetryAfter is how long the answer asks to wait before the next try; 0 for nothing that is understood.
func (a ListenAnswer) RetryAfter() time.Duration {
	text := a.Headers.Get("Retry-After")
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return min(time.Duration(min(n, int(maxRetryAfter.Seconds())))*time.Second, maxRetryAfter)
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(time.Until(at), 0), maxRetryAfter)
	}
	return 0
}
