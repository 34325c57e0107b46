package s3

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/blob"
)

const op = "s3.Open"

const credentialsHint = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN if needed), or use a credentials file or the machine's role."

// Options configures Blobs. The zero value takes credentials from the environment.
type Options struct {
	// AccessKey, SecretKey, and SessionToken are the credentials. If AccessKey is "", they come from AWS_ACCESS_KEY_ID,
	// AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN, from AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials, or from the role of the machine.
	AccessKey, SecretKey, SessionToken string
	// PartSize is the size of a part in bytes, at least 5 MiB; default 8 MiB. A smaller blob is sent in one request. Very large blobs have
	// larger parts, so that 10,000 parts are enough for 5 TiB.
	PartSize int64
	// Parallel is how many parts of a blob are sent at once; default 3. A writer needs at most Parallel + 1 parts of memory.
	Parallel int
	// Attempts is how often a request is sent until it succeeds; default 8, which takes about 4 s if the store answers at once.
	Attempts int
	// CopyDir is the folder for local copies of media, see Blobs.Pin. By default it is a new temporary folder, which Close removes.
	CopyDir string
	// CopyQuota limits the size of all local copies in bytes; default 20 GiB.
	CopyQuota int64
	// Transport sends the requests; by default a new http.Transport, whose connections Close closes.
	Transport http.RoundTripper
	// Now returns the time of a blob's storage; default time.Now.
	Now func() time.Time
}

// Blobs implements engine.PresigningBlobs and engine.CopyingBlobs in a bucket. It is safe for concurrent use.
type Blobs struct {
	address Address
	options Options
	client  *minio.Core // repeats failed requests
	prober  *minio.Core // gives up soon
	copier  *minio.Core // waits long for an answer
	copies  *copies
	deletes atomic.Int64 // number of calls of Delete
	close   func()
}

var (
	_ engine.PresigningBlobs = (*Blobs)(nil)
	_ engine.CopyingBlobs    = (*Blobs)(nil)
	_ blob.Pinner            = (*Blobs)(nil)
	_ blob.Collector         = (*Blobs)(nil)
)

// Open returns the blobs of a bucket, see ParseAddress. It checks that the bucket can be listed, and that objects can be written, copied, and
// deleted there. CodeInvalid for a wrong address, wrong credentials, a missing bucket, and missing rights; CodeUnavailable if the store
// can't be reached.
func Open(ctx context.Context, address string, o Options) (*Blobs, error) {
	b, keys, err := newBlobs(address, o)
	if err != nil {
		return nil, err
	}
	if err := b.check(ctx, keys); err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// newBlobs returns the blobs of a bucket that was not checked.
func newBlobs(address string, o Options) (*Blobs, *credentials.Credentials, error) {
	a, err := ParseAddress(address)
	if err != nil {
		return nil, nil, err
	}
	if o.PartSize != 0 && o.PartSize < minPartSize || o.PartSize > maxPartSize {
		return nil, nil, engine.Errorf(engine.CodeInvalid, op, "The part size must be 5 MiB to 1 GiB (got %d bytes).", o.PartSize).
			WithHint("Choose a size within these limits, or none.")
	}
	o.PartSize, o.Parallel, o.Attempts = cmp.Or(o.PartSize, 8<<20), cmp.Or(o.Parallel, 3), cmp.Or(o.Attempts, 8)
	o.CopyQuota = cmp.Or(o.CopyQuota, 20<<30)
	if o.Now == nil {
		o.Now = time.Now
	}
	b := &Blobs{address: a, options: o, close: func() {}}
	patient := o.Transport
	if o.Transport == nil {
		transport, slow := newTransport(), newTransport()
		slow.ResponseHeaderTimeout = copyTimeout
		b.options.Transport, patient = transport, slow
		b.close = func() { transport.CloseIdleConnections(); slow.CloseIdleConnections() }
	}
	if b.copies, err = newCopies(o.CopyDir, o.CopyQuota); err != nil {
		return nil, nil, err
	}
	keys := o.credentials()
	for _, c := range []struct {
		client    **minio.Core
		transport http.RoundTripper
		attempts  int
	}{
		{&b.client, b.options.Transport, o.Attempts}, {&b.prober, b.options.Transport, min(o.Attempts, 2)}, {&b.copier, patient, o.Attempts},
	} {
		if *c.client, err = b.newClient(keys, c.transport, c.attempts); err != nil {
			_ = b.Close()
			return nil, nil, err
		}
	}
	return b, keys, nil
}

// newTransport returns a transport whose timeouts end a request to a server that is gone, but not a slow one.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       time.Minute,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		DisableCompression:    true, // else a compressed object would be decompressed
		ForceAttemptHTTP2:     true,
	}
}

func (o Options) credentials() *credentials.Credentials {
	if o.AccessKey != "" {
		return credentials.NewStaticV4(o.AccessKey, o.SecretKey, o.SessionToken)
	}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}},
	})
}

func (b *Blobs) newClient(keys *credentials.Credentials, transport http.RoundTripper, attempts int) (*minio.Core, error) {
	client, err := minio.NewCore(b.address.Endpoint, &minio.Options{
		Creds: keys, Secure: b.address.Secure, Region: b.address.Region, BucketLookup: b.address.lookup(), Transport: loaned{transport}, MaxRetries: attempts,
	})
	if err != nil {
		return nil, invalid("The object store's address can't be used.").Because(err)
	}
	client.SetAppInfo("soundstage", "1")
	return client, nil
}

// Address returns the address of the bucket. It has no secret.
func (b *Blobs) Address() string { return b.address.String() }

// Close removes the local copies and closes idle connections. Readers and writers must have ended.
func (b *Blobs) Close() error {
	b.close()
	return b.copies.close()
}

// Stat returns the description of a blob.
func (b *Blobs) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	if err := check(ctx, key); err != nil {
		return engine.BlobInfo{}, err
	}
	_, info, err := b.stat(ctx, key)
	return info, err
}

// Delete removes a blob.
func (b *Blobs) Delete(ctx context.Context, key string) error {
	if err := check(ctx, key); err != nil {
		return err
	}
	b.deletes.Add(1)
	object, err := b.client.StatObject(ctx, b.address.Bucket, b.name(key), minio.StatObjectOptions{})
	if err != nil {
		if err = failure(ctx, err); engine.CodeOf(err) == engine.CodeNotFound {
			return nil
		}
		return err
	}
	if err := b.remove(ctx, b.name(key)); err != nil {
		return err
	}
	if d, ok := parseDetails(object); ok && d.apart {
		return b.remove(ctx, b.sumName(key, d.id))
	}
	return nil
}

// remove deletes an object, which may be missing.
func (b *Blobs) remove(ctx context.Context, name string) error {
	err := failure(ctx, b.client.RemoveObject(ctx, b.address.Bucket, name, minio.RemoveObjectOptions{}))
	if engine.CodeOf(err) == engine.CodeNotFound {
		return nil
	}
	return err
}

func check(ctx context.Context, key string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return blob.CheckKey(key)
}
