package s3_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// open opens a bucket below a prefix, with the bucket's credentials.
func open(t testing.TB, bucket s3test.Bucket, o s3.Options) *s3.Blobs {
	t.Helper()
	return openAt(t, bucket, bucket.Address("some/prefix"), o)
}

func openAt(t testing.TB, bucket s3test.Bucket, address string, o s3.Options) *s3.Blobs {
	t.Helper()
	o.AccessKey, o.SecretKey = bucket.AccessKey, bucket.SecretKey
	b, err := s3.Open(t.Context(), address, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

// store commits a blob.
func store(t testing.TB, b engine.Blobs, key, content string) engine.BlobInfo {
	t.Helper()
	w, err := b.Create(t.Context(), key, engine.BlobMeta{ContentType: "audio/wav"})
	require.NoError(t, err)
	_, err = io.WriteString(w, content)
	require.NoError(t, err)
	info, err := w.Commit()
	require.NoError(t, err)
	return info
}

func load(t testing.TB, b engine.Blobs, key string) string {
	t.Helper()
	r, err := b.Open(t.Context(), key, 0, -1)
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return string(content)
}

func requireCode(t testing.TB, want engine.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, want, engine.CodeOf(err), "%v", err)
}

// Blobs fulfils the contract of engine.Blobs, below a prefix and without one.
func TestBlobs(t *testing.T) {
	t.Parallel()
	for name, prefix := range map[string]string{"prefix": "some/prefix", "no prefix": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			enginetest.TestBlobs(t, func(t *testing.T) engine.Blobs {
				bucket := s3test.New(t)
				return openAt(t, bucket, bucket.Address(prefix), s3.Options{})
			})
		})
	}
}

// Signed addresses fulfil the contract of engine.PresigningBlobs.
func TestPresign(t *testing.T) {
	t.Parallel()
	enginetest.TestPresigningBlobs(t, func(t *testing.T) engine.PresigningBlobs { return open(t, s3test.New(t), s3.Options{}) })
}
