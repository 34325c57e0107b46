package s3

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/soundstage-dev/soundstage/engine"
)

// failure converts an error of a request for an object to an *engine.Error, or to the cause of an ended context.
func failure(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var known *engine.Error
	if errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return unreachable(err)
	}
	switch answer.Code {
	case minio.NoSuchKey, "NotFound":
		return engine.Errorf(engine.CodeNotFound, "", "There is no blob with this key.").Because(err)
	case minio.NoSuchBucket:
		return engine.Errorf(engine.CodeUnavailable, "", "The bucket of the object store is gone.").WithHint("Restore the bucket, or correct the address.").Because(err).After(outage)
	case minio.PreconditionFailed:
		return engine.Errorf(engine.CodeConflict, "", "The key has a blob already.").Because(err)
	case "KeyTooLongError":
		return engine.Errorf(engine.CodeInvalid, "", "The key is too long.").Because(err)
	case "EntityTooLarge":
		return tooLarge().Because(err)
	case "QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage", "InsufficientCapacity", "ServiceQuotaExceeded":
		return noSpace(err)
	case "RequestTimeTooSkewed":
		return clockWrong(err)
	}
	switch {
	case answer.StatusCode == http.StatusInsufficientStorage:
		return noSpace(err)
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return engine.Errorf(engine.CodeUnavailable, "", "The object store refuses the credentials.").
			WithHint("Check the credentials, their rights, and the clock of this machine.").Because(err).After(outage)
	case busy(answer):
		return unreachable(err)
	}
	return &engine.Error{Code: engine.CodeInternal, Err: err}
}

// busy reports whether the same request may succeed later.
func busy(answer minio.ErrorResponse) bool {
	switch answer.Code {
	case "SlowDown", "SlowDownRead", "SlowDownWrite", "Throttling", "ThrottlingException", "RequestLimitExceeded", "RequestTimeout", "InternalError",
		"ConditionalRequestConflict", "OperationAborted":
		return true
	}
	return answer.StatusCode >= http.StatusInternalServerError && answer.StatusCode != http.StatusNotImplemented || answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout
}

// outage is how long a job waits before it tries again to use the object store. All attempts together last longer than a minute. Credentials and
// a bucket that were right at the start are changed by an operator, and the clock of another worker may be right.
const outage = 30 * time.Second

func unreachable(err error) error {
	return engine.Errorf(engine.CodeUnavailable, "", "The object store does not answer.").WithHint("Try again later.").Because(err).After(outage)
}

func noSpace(err error) error {
	return engine.Errorf(engine.CodeNoSpace, "", "The object store is full.").WithHint("Free some space or raise its quota, then try again.").Because(err).Transient()
}

func clockWrong(err error) error {
	return engine.Errorf(engine.CodeUnavailable, "", "The clocks of this machine and of the object store differ too much.").WithHint("Set the clock of this machine.").Because(err).After(outage)
}

func tooLarge() *engine.Error {
	return engine.Errorf(engine.CodeTooLarge, "", "The bytes are more than the object store takes.")
}

// changed is the error of a reader whose blob was replaced.
func changed(err error) error {
	return engine.Errorf(engine.CodeUnavailable, "", "The stored bytes were replaced while they were read.").WithHint("Read them again.").Because(err).Transient()
}

func damaged() error {
	return engine.Errorf(engine.CodeUnavailable, "", "The stored bytes are damaged: their SHA-256 is wrong.").WithHint("Restore the object from a backup or an earlier version.")
}

// preconditionFailed reports whether a condition of a request was not met.
func preconditionFailed(err error) bool {
	answer := minio.ToErrorResponse(err)
	return answer.Code == minio.PreconditionFailed || answer.StatusCode == http.StatusPreconditionFailed
}
