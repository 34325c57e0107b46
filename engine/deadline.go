package engine

import (
	"context"
	"errors"
	"time"
)

// DefaultDeadline returns the default of Config.Deadline: 10 min plus 4 times the length.
func DefaultDeadline(length time.Duration) time.Duration { return 10*time.Minute + 4*length }

var errDeadline = errors.New("engine: deadline of the job exceeded")

// withDeadline calls fn with the deadline for media of a length. A deadline that passes is permanent, so that media that occupies a
// worker for its whole deadline does so once. It is on the wall clock, because it limits real work.
func withDeadline[T any](ctx context.Context, e *Engine, op string, length time.Duration, fn func(context.Context) (T, error)) (T, error) {
	limit := e.deadline(length)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errDeadline)
	defer cancel()
	v, err := fn(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errDeadline) {
		err = Errorf(CodeUnavailable, op, "The work took longer than its limit of %s.", limit.Round(time.Second)).
			WithHint("Try a shorter part of the media, or a faster backend.").Because(err)
	}
	return v, err
}
