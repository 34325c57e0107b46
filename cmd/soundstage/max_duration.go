package main

import (
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const maxDurationHelp = "longest media that is accepted, as a `duration`; 0 for 12h"

// checkMaxDuration returns CodeInvalid for a --max-duration below 0.
func checkMaxDuration(d time.Duration) error {
	if d < 0 {
		return engine.Errorf(engine.CodeInvalid, "serve", "--max-duration must not be negative (got %s).", d).
			WithHint("Use a duration such as 24h, or 0 for 12h.")
	}
	return nil
}

// deadline returns the engine's deadline of a job. It is never shorter than --transcriber-timeout.
func (b *backendFlags) deadline() func(time.Duration) time.Duration {
	return func(length time.Duration) time.Duration {
		return max(engine.DefaultDeadline(length), b.Timeout+time.Minute)
	}
}
