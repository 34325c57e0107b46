package queue

import (
	"context"
	"errors"
	"time"
)

// Causes for the end of an attempt's context. errors.Is matches each of them with context.Canceled.
var (
	// ErrShutdown ends an attempt because Run ends. The job waits for the next Run.
	ErrShutdown error = cause("queue: shutting down")
	// ErrCanceled ends an attempt because a cancel was requested. An attempt that returns it is canceled.
	ErrCanceled error = cause("queue: canceled on request")
	// ErrLostLease ends an attempt because another worker has the job. Later writes of the attempt return it too.
	ErrLostLease error = cause("queue: lease lost")
)

// ErrAbandoned is the error of a job whose workers died repeatedly.
var ErrAbandoned = errors.New("queue: abandoned after its workers died repeatedly")

type cause string

func (c cause) Error() string        { return string(c) }
func (c cause) Is(target error) bool { return target == context.Canceled }

// Failure is what a queue needs to know about an error.
type Failure struct {
	NotFound   bool          // a row doesn't exist
	Retryable  bool          // another attempt may succeed
	RetryAfter time.Duration // minimum wait before it
	Outage     bool          // a service that the work needs can't work now; see RetryPolicy.Outage
}
