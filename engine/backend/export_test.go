package backend

// RetryAfter is retryAfter.
var RetryAfter = retryAfter
