package s3test_test

import (
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// Each test has a bucket of its own on one server.
func TestNew(t *testing.T) {
	t.Parallel()
	a, b := s3test.New(t), s3test.New(t)
	require.Equal(t, a.Endpoint, b.Endpoint)
	require.NotEqual(t, a.Name, b.Name)
	_, err := a.Client(t).PutObject(t.Context(), a.Name, "x/y", strings.NewReader("content"), 7, "", "", minio.PutObjectOptions{})
	require.NoError(t, err)
	require.Equal(t, []string{"x/y"}, a.Keys(t))
	require.Empty(t, b.Keys(t))
	require.Zero(t, a.Uploads(t))
	require.Equal(t, "s3://"+a.Name+"/p?endpoint="+strings.ReplaceAll(strings.ReplaceAll(a.Endpoint, ":", "%3A"), "/", "%2F")+"&region="+a.Region, a.Address("p"))
}
