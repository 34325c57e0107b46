package queue

import (
	"context"
	"errors"
	"time"
)

// The causes for which the context of an attempt ends. To errors.Is each of them is context.Canceled.
var (
	// ErrShutdown ends an attempt because Run ends; the job waits for the next Run.
	ErrShutdown error = cause("queue: shutting down")
	// ErrCanceled ends an attempt because a cancel was requested. An attempt whose error it is, is canceled.
	ErrCanceled error = cause("queue: canceled on request")
	// ErrLostLease ends an attempt because another worker has the job. It is also the error of each write that comes too late.
	ErrLostLease error = cause("queue: lease lost")
)

// ErrAbandoned is the error of a job whose workers died too often.
var ErrAbandoned = errors.New("queue: given up, its workers kept dying")

type cause string

func (c cause) Error() string        { return string(c) }
func (c cause) Is(target error) bool { return target == context.Canceled }

// Failure is what a queue needs to know about an error.
type Failure struct {
	NotFound   bool          // a row isn't there
	Retryable  bool          // another attempt may succeed
	RetryAfter time.Duration // the least time to wait before it
}
