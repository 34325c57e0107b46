package s3

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/soundstage-dev/soundstage/engine"
)

// checkTimeout limits the checks of Open.
const checkTimeout = 30 * time.Second

// step is one check of a bucket.
type step struct {
	name, found string
	run         func(ctx context.Context) error
}

// steps returns the checks of a bucket, in their order: that it can be listed, written, and cleaned, and that the store copies objects, and never
// replaces an object that it must not.
func (b *Blobs) steps(keys *credentials.Credentials) []step {
	name := b.address.Prefix + mark + "probe-" + rand.Text() // no key begins with the mark
	return []step{
		{"list", "The bucket can be listed.", func(ctx context.Context) error {
			if found, err := keys.GetWithContext(nil); err != nil || found.AccessKeyID == "" {
				return engine.Errorf(engine.CodeInvalid, op, "There are no credentials for the object store.").WithHint(credentialsHint).Because(err)
			}
			return b.refused(ctx, "list", b.probeList(ctx))
		}},
		{"write", "Objects can be written.", func(ctx context.Context) error { return b.refused(ctx, "write", b.probe(ctx, name, false)) }},
		{"once", "The object store respects If-None-Match.", func(ctx context.Context) error { return b.probeOnce(ctx, name) }},
		{"copy", "The object store copies objects.", func(ctx context.Context) error { return b.refused(ctx, "copy", b.probeCopy(ctx, name)) }},
		{"delete", "Objects can be deleted.", func(ctx context.Context) error {
			return b.refused(ctx, "delete", b.removeProbes(ctx, name))
		}},
	}
}

// runSteps runs the checks of a bucket that make sense, and calls done with the result of each.
func (b *Blobs) runSteps(ctx context.Context, keys *credentials.Credentials, done func(step, error)) {
	for _, s := range b.steps(keys) {
		err := s.run(ctx)
		done(s, err)
		if err != nil && (s.name == "write" || s.name == "list" && !denied(err)) {
			return
		}
	}
}

// denied reports whether only a right is missing.
func denied(err error) bool {
	var answer minio.ErrorResponse
	return errors.As(err, &answer) && answer.Code == minio.AccessDenied
}

// check returns the first error of the steps.
func (b *Blobs) check(ctx context.Context, keys *credentials.Credentials) (first error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	b.runSteps(ctx, keys, func(_ step, err error) {
		if first == nil {
			first = err
		}
	})
	return first
}

func (b *Blobs) probeList(ctx context.Context) error {
	for object := range b.prober.ListObjectsIter(ctx, b.address.Bucket, minio.ListObjectsOptions{Prefix: b.address.Prefix, MaxKeys: 1}) {
		return object.Err
	}
	return nil
}

// probeOnce writes an object that exists, which the store must refuse.
func (b *Blobs) probeOnce(ctx context.Context, name string) error {
	err := b.probe(ctx, name, true)
	switch {
	case err == nil:
		return engine.Errorf(engine.CodeInvalid, op, "The object store ignores If-None-Match, so a signed address could replace bytes that were already checked.").
			WithHint("Use a newer version of the object store, or another one.")
	case minio.ToErrorResponse(err).Code == minio.PreconditionFailed:
		return nil
	}
	return b.refused(ctx, "write", err)
}

// probe writes a small object.
func (b *Blobs) probe(ctx context.Context, name string, once bool) error {
	content := []byte("soundstage checks that it may write")
	o := minio.PutObjectOptions{ContentType: "text/plain", DisableContentSha256: true}
	if once {
		o.SetMatchETagExcept("*")
	}
	_, err := b.prober.PutObject(ctx, b.address.Bucket, name, bytes.NewReader(content), int64(len(content)), "", hexSum(content), o)
	return err
}

// probeCopy copies a small object to its own name and "-copy".
func (b *Blobs) probeCopy(ctx context.Context, name string) error {
	_, err := b.prober.CopyObject(ctx, b.address.Bucket, name, b.address.Bucket, name+"-copy", nil, minio.CopySrcOptions{}, minio.PutObjectOptions{})
	return err
}

// removeProbes removes both objects.
func (b *Blobs) removeProbes(ctx context.Context, name string) error {
	return cmp.Or(
		b.prober.RemoveObject(ctx, b.address.Bucket, name, minio.RemoveObjectOptions{}),
		b.prober.RemoveObject(ctx, b.address.Bucket, name+"-copy", minio.RemoveObjectOptions{}),
	)
}

// refused returns the error of Open for a request that failed, or nil.
func (b *Blobs) refused(ctx context.Context, verb string, err error) error {
	if err == nil {
		return nil
	}
	bucket, at := b.address.Bucket, b.address.Endpoint
	answer := minio.ToErrorResponse(err)
	switch answer.Code {
	case minio.NoSuchBucket:
		return engine.Errorf(engine.CodeInvalid, op, "There is no bucket %q at %s.", bucket, at).WithHint("Create the bucket, or correct the address and its region.").Because(err)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken", "TokenRefreshRequired", "XAdminUserNotFound": // the last is versitygw's
		return engine.Errorf(engine.CodeInvalid, op, "The object store at %s refuses the credentials.", at).WithHint(credentialsHint).Because(err)
	case "RequestTimeTooSkewed":
		return clockWrong(err)
	case minio.AuthorizationHeaderMalformed, minio.InvalidRegion, "PermanentRedirect", "IllegalLocationConstraintException":
		return engine.Errorf(engine.CodeInvalid, op, "The bucket %q is not in the region %q.", bucket, b.address.Region).WithHint("Set the bucket's region in the address.").Because(err)
	case minio.AccessDenied, "AllAccessDisabled", "MethodNotAllowed":
		return engine.Errorf(engine.CodeInvalid, op, "The credentials may not %s objects in the bucket %q.", verb, bucket).
			WithHint("Allow s3:ListBucket, s3:GetObject, s3:PutObject, and s3:DeleteObject; docs/scale.md has the policy.").Because(err)
	}
	if ctx.Err() == nil && answer.StatusCode != 0 && !busy(answer) {
		return engine.Errorf(engine.CodeInvalid, op, "The server at %s doesn't answer as an S3 server does (status %d, code %q).", at, answer.StatusCode, answer.Code).
			WithHint("Correct the endpoint of the address.").Because(err)
	}
	return engine.Errorf(engine.CodeUnavailable, op, "The object store at %s can't be reached.", at).
		WithHint("Start it, or correct the endpoint of the address.").Because(err).Transient()
}

// Ready returns CodeUnavailable unless the bucket answers. It is cheap enough for a readiness probe.
func (b *Blobs) Ready(ctx context.Context) error {
	found, err := b.prober.BucketExists(ctx, b.address.Bucket)
	if err != nil {
		return failure(ctx, err)
	}
	if !found {
		return engine.Errorf(engine.CodeUnavailable, "s3.Ready", "There is no bucket %q at %s.", b.address.Bucket, b.address.Endpoint).WithHint("Create the bucket, or correct the address.")
	}
	return nil
}
