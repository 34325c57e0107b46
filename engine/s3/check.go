package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/soundstage-dev/soundstage/engine"
)

// checkTimeout limits the checks of Open.
const checkTimeout = 30 * time.Second

// check returns an error unless the bucket can be listed, written, and cleaned, the store copies objects, and never replaces an object that it
// must not.
func (b *Blobs) check(ctx context.Context, keys *credentials.Credentials) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	if found, err := keys.GetWithContext(nil); err != nil || found.AccessKeyID == "" {
		return engine.Errorf(engine.CodeInvalid, op, "There are no credentials for the object store.").WithHint(credentialsHint).Because(err)
	}
	for object := range b.prober.ListObjectsIter(ctx, b.address.Bucket, minio.ListObjectsOptions{Prefix: b.address.Prefix, MaxKeys: 1}) {
		if object.Err != nil {
			return b.refused(ctx, "list", object.Err)
		}
		break
	}
	name := b.address.Prefix + mark + "probe-" + rand.Text() // no key begins with the mark
	if err := b.probe(ctx, name, false); err != nil {
		return b.refused(ctx, "write", err)
	}
	second, copied := b.probe(ctx, name, true), b.probeCopy(ctx, name)
	if err := b.prober.RemoveObject(ctx, b.address.Bucket, name, minio.RemoveObjectOptions{}); err != nil {
		return b.refused(ctx, "delete", err)
	}
	if copied != nil {
		return b.refused(ctx, "copy", copied)
	}
	switch second := minio.ToErrorResponse(second); {
	case second.Code == minio.PreconditionFailed:
		return nil
	case second.Code == "":
		return engine.Errorf(engine.CodeInvalid, op, "The object store ignores If-None-Match, so a signed address could replace bytes that were already checked.").
			WithHint("Use a newer version of the object store, or another one.")
	default:
		return b.refused(ctx, "write", second)
	}
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

// probeCopy copies a small object, and removes the copy.
func (b *Blobs) probeCopy(ctx context.Context, name string) error {
	copied := name + "-copy"
	_, err := b.prober.CopyObject(ctx, b.address.Bucket, name, b.address.Bucket, copied, nil, minio.CopySrcOptions{}, minio.PutObjectOptions{})
	if removeErr := b.prober.RemoveObject(ctx, b.address.Bucket, copied, minio.RemoveObjectOptions{}); err == nil {
		err = removeErr
	}
	return err
}

// refused returns the error of Open for a request that failed.
func (b *Blobs) refused(ctx context.Context, verb string, err error) error {
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
