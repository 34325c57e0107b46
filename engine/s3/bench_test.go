package s3_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// BenchmarkBlobs compares putting and getting a blob with the bare calls of minio-go for the same bytes, on the same server, in turns.
// "ratio" is the time of the blobs divided by that of the bare calls; "MB/s" is that of the blobs.
func BenchmarkBlobs(b *testing.B) {
	bucket := s3test.New(b)
	blobs := open(b, bucket, s3.Options{})
	client := bucket.Client(b)
	for _, size := range []int{64 << 10, 4 << 20, 64 << 20} {
		content := []byte(random(size))
		name := fmt.Sprintf("%dKiB", size>>10)
		b.Run("put/"+name, func(b *testing.B) {
			compare(b, size, func() error {
				w, err := blobs.Create(b.Context(), "a", engine.BlobMeta{ContentType: "audio/wav"})
				if err == nil {
					_, err = w.Write(content)
				}
				if err == nil {
					_, err = w.Commit()
				}
				return err
			}, func() error {
				_, err := client.Client.PutObject(b.Context(), bucket.Name, "bare", bytes.NewReader(content), int64(size), minio.PutObjectOptions{PartSize: 8 << 20, NumThreads: 3})
				return err
			})
		})
		b.Run("get/"+name, func(b *testing.B) {
			compare(b, size, func() error {
				r, err := blobs.Open(b.Context(), "a", 0, -1)
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, r)
				return err
			}, func() error {
				r, _, _, err := client.GetObject(b.Context(), bucket.Name, "bare", minio.GetObjectOptions{})
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, r)
				return err
			})
		})
	}
}

// compare runs two functions in turns.
func compare(b *testing.B, size int, ours, bare func() error) {
	b.Helper()
	var spent [2]time.Duration
	for b.Loop() {
		for i, call := range []func() error{ours, bare} {
			start := time.Now()
			require.NoError(b, call())
			spent[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(spent[0])/float64(spent[1]), "ratio")
	b.ReportMetric(float64(size)*float64(b.N)/1e6/spent[0].Seconds(), "MB/s")
}
