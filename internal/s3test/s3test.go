// Package s3test starts a real S3 server for tests, and gives each test a bucket of its own:
//
//	bucket := s3test.New(t)
//	blobs, err := s3.Open(t.Context(), bucket.Address(""), s3.Options{AccessKey: bucket.AccessKey, SecretKey: bucket.SecretKey})
//
// The server is versitygw (testdata/server) on 127.0.0.1, over a temporary folder. `.ci/setup test` installs it as soundstage-s3. It is
// started once per test process, and ends with it. SOUNDSTAGE_TEST_S3 has the address of a running server to be used instead:
//
//	SOUNDSTAGE_TEST_S3='s3://ACCESS:SECRET@HOST:PORT?insecure=true&region=us-east-1'
package s3test

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/stretchr/testify/require"
)

// Server is a running S3 server.
type Server struct {
	Endpoint             string // "http://127.0.0.1:9000"
	Region               string
	AccessKey, SecretKey string

	input io.Closer // of the process, which ends when it is closed; it would be closed if nothing referred to it
	wait  func() error
}

// Bucket is an empty bucket that is removed at the end of a test.
type Bucket struct {
	Server
	Name string
}

// New returns a new bucket. Without a server, the test is skipped; if CI is "true", it fails.
func New(t testing.TB) Bucket {
	t.Helper()
	server, err := running()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("s3test: %v", err)
		}
		t.Skipf("s3test: %v", err)
	}
	b := Bucket{Server: server, Name: "test-" + strings.ToLower(rand.Text())}
	client := b.Client(t)
	require.NoError(t, b.Create(t.Context()))
	t.Cleanup(func() { b.remove(t, client) })
	return b
}

// running is the server of this test process.
var running = sync.OnceValues(func() (Server, error) {
	if address := os.Getenv("SOUNDSTAGE_TEST_S3"); address != "" {
		return parse(address)
	}
	return Start("")
})

// Address returns the address of the bucket for s3.Open; prefix may be "".
func (b Bucket) Address(prefix string) string { return b.AddressAt(b.Endpoint, prefix) }

// AddressAt returns the address of the bucket at another endpoint: a proxy in front of the server.
func (b Bucket) AddressAt(endpoint, prefix string) string {
	u := url.URL{Scheme: "s3", Host: b.Name, RawQuery: url.Values{"endpoint": {endpoint}, "region": {b.Region}}.Encode()}
	if prefix != "" {
		u.Path = "/" + prefix
	}
	return u.String()
}

// Client returns a client of the server.
func (b Bucket) Client(t testing.TB) *minio.Core {
	t.Helper()
	client, err := b.client()
	require.NoError(t, err)
	return client
}

// Create creates the bucket.
func (b Bucket) Create(ctx context.Context) error {
	client, err := b.client()
	if err != nil {
		return err
	}
	return client.MakeBucket(ctx, b.Name, minio.MakeBucketOptions{Region: b.Region})
}

func (b Bucket) client() (*minio.Core, error) {
	endpoint, err := url.Parse(b.Endpoint)
	if err != nil {
		return nil, err
	}
	return minio.NewCore(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(b.AccessKey, b.SecretKey, ""), Secure: endpoint.Scheme == "https", Region: b.Region,
		BucketLookup: minio.BucketLookupPath, Transport: &http.Transport{MaxIdleConnsPerHost: 32},
	})
}

// Uploads returns the number of multipart uploads that are neither completed nor aborted.
func (b Bucket) Uploads(t testing.TB) int {
	t.Helper()
	found, err := b.Client(t).ListMultipartUploads(t.Context(), b.Name, "", "", "", "", 1000)
	require.NoError(t, err)
	return len(found.Uploads)
}

// Keys returns the key of every object.
func (b Bucket) Keys(t testing.TB) []string {
	t.Helper()
	keys := []string{}
	for object := range b.Client(t).Client.ListObjects(t.Context(), b.Name, minio.ListObjectsOptions{Recursive: true}) {
		require.NoError(t, object.Err)
		keys = append(keys, object.Key)
	}
	return keys
}

func (b Bucket) remove(t testing.TB, client *minio.Core) {
	ctx := context.Background()
	for object := range client.Client.ListObjects(ctx, b.Name, minio.ListObjectsOptions{Recursive: true}) {
		_ = client.RemoveObject(ctx, b.Name, object.Key, minio.RemoveObjectOptions{})
	}
	for upload := range client.ListIncompleteUploads(ctx, b.Name, "", true) {
		_ = client.AbortMultipartUpload(ctx, b.Name, upload.Key, upload.UploadID)
	}
	if err := client.RemoveBucket(ctx, b.Name); err != nil && os.Getenv("SOUNDSTAGE_TEST_S3") != "" {
		t.Logf("s3test: %v", err) // the folder of our own server is removed anyway
	}
}
