package s3_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/engine/sweep"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// Collect removes what dead writers left behind, once it is old enough, and no blob and nothing of others.
func TestCollect(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	b := open(t, bucket, s3.Options{PartSize: part})
	client := bucket.Client(t)
	put := func(name string) {
		_, err := client.PutObject(t.Context(), bucket.Name, name, strings.NewReader("x"), 1, "", "", minio.PutObjectOptions{})
		require.NoError(t, err)
	}
	large := func(key string) engine.BlobWriter {
		w, err := b.Create(t.Context(), key, engine.BlobMeta{})
		require.NoError(t, err)
		require.NoError(t, pieces(w, random(part+1)))
		return w
	}
	store(t, b, "small", "content")
	_, err := large("large").Commit()
	require.NoError(t, err)
	kept := append(bucket.Keys(t), "other/file", "some/prefix/a b!x", "some/prefix/file", "some/prefix/small!x!y")
	for _, name := range kept[3:] {
		put(name)
	}
	_ = large("dead") // never ends
	_, err = client.NewMultipartUpload(t.Context(), bucket.Name, "some/prefix/foreign", minio.PutObjectOptions{})
	require.NoError(t, err)
	put("some/prefix/!probe-1")
	put("some/prefix/gone!SUM")
	put("some/prefix/large!OTHER")
	put("some/prefix/small!OTHER")

	removed, err := b.Collect(t.Context(), time.Now().Add(-time.Hour))
	require.NoError(t, err)
	require.Zero(t, removed)
	removed, err = sweep.Blobs(t.Context(), memory.NewStore(), b)
	require.NoError(t, err)
	require.Zero(t, removed, "the sweep leaves writers of the last day alone")
	removed, err = b.Collect(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, 5, removed)
	require.ElementsMatch(t, kept, bucket.Keys(t))
	require.Equal(t, 1, bucket.Uploads(t))
	require.Equal(t, "content", load(t, b, "small"))
	info, err := b.Stat(t.Context(), "large")
	require.NoError(t, err)
	require.NotZero(t, info.SHA256)
}

// old are blobs that were stored two days before what their List says.
type old struct{ *s3.Blobs }

func (b old) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	return b.Blobs.List(ctx, prefix, func(i engine.BlobInfo) error {
		i.ModTime = i.ModTime.Add(-48 * time.Hour)
		return fn(i)
	})
}

// The sweep removes blobs that no row needs any more, also those of several parts, and nothing else.
func TestSweep(t *testing.T) {
	t.Parallel()
	bucket := s3test.New(t)
	b := open(t, bucket, s3.Options{PartSize: part})
	rows := memory.NewStore()
	require.NoError(t, rows.Update(t.Context(), func(tx engine.Tx) error {
		return tx.PutRender(engine.Render{ID: "done", Status: engine.RenderCompleted, BlobKey: "renders/done/2.mp4"})
	}))
	store(t, b, "renders/done/1.mp4", random(part+1))
	store(t, b, "renders/done/2.mp4", "needed")
	store(t, b, "renders/nobody/1.mp4", "of another store")
	removed, err := sweep.Blobs(t.Context(), rows, old{b})
	require.NoError(t, err)
	require.Equal(t, 1, removed)
	require.Equal(t, []string{"some/prefix/renders/done/2.mp4!", "some/prefix/renders/nobody/1.mp4!"}, bucket.Keys(t))
}
