package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

var largeUpload = flag.Int64("large", 64<<20, "size of the upload of TestLargeUpload in bytes; more than 5 GiB go through the node")

// counted is a body of a given size, each 8 bytes of which are different, so that parts in another order have another SHA-256.
type counted struct {
	n, size int64
}

func (c *counted) Read(p []byte) (int, error) {
	if c.n == c.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), c.size-c.n)]
	var word [8]byte
	for i := range p {
		if at := c.n + int64(i); at%8 == 0 || i == 0 {
			binary.LittleEndian.PutUint64(word[:], uint64(at/8))
		}
		p[i] = word[(c.n+int64(i))%8]
	}
	c.n += int64(len(p))
	return len(p), nil
}

// A large upload becomes a recording with the same bytes. Above the 5 GiB that S3 takes in one request, they go through the node, which needs
// no more memory for that.
func TestLargeUpload(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a cluster")
	c := newCluster(t)
	node := c.api()
	d := &directClient{c.client(newLoad(t, c.hooks.URL), node, 1), c}
	up, err := d.call("POST", "/v1/uploads", map[string]any{"filename": "large.wav", "content_type": "audio/wav", "content_size": *largeUpload}, 201)
	require.NoError(t, err)
	address, through := fmt.Sprint(up["upload_url"]), "S3"
	if *largeUpload > 5<<30 {
		through = "the node"
	}
	require.Equal(t, through == "the node", strings.HasPrefix(address, node.url+"/"), address)

	memory, sum, began := node.memory(t, "VmRSS"), sha256.New(), time.Now()
	require.NoError(t, d.put(address, io.TeeReader(&counted{size: *largeUpload}, sum), int(*largeUpload)))
	sent := time.Since(began)
	began = time.Now()
	_, name := d.record(t, fmt.Sprint(up["object_id"]))
	created := time.Since(began)
	grown := node.memory(t, "VmHWM") - memory
	want := hex.EncodeToString(sum.Sum(nil))
	require.Equal(t, []string{want}, c.query("SELECT encode(sha256, 'hex') FROM uploads"), "what the recording's bytes were verified to be")
	require.Equal(t, want, d.sumOf(t, name), "what the store has")
	require.Less(t, grown, int64(160<<20), "bytes of memory")
	t.Logf("%d bytes through %s: PUT %v (%.0f MB/s), recording %v, memory of the node %d MiB and %d MiB more at its peak", *largeUpload, through,
		sent.Round(time.Millisecond), float64(*largeUpload)/1e6/sent.Seconds(), created.Round(time.Millisecond), memory>>20, grown>>20)
}

// sumOf returns the SHA-256 of an object, as the store returns it.
func (d *directClient) sumOf(t *testing.T, name string) string {
	t.Helper()
	b := d.cluster.objects.bucket
	body, _, _, err := b.Client(t).GetObject(t.Context(), b.Name, name, minio.GetObjectOptions{})
	require.NoError(t, err)
	sum := sha256.New()
	_, err = io.Copy(sum, body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	return hex.EncodeToString(sum.Sum(nil))
}

// memory returns a line of the status of a node's process, in bytes.
func (n *clusterNode) memory(t *testing.T, line string) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.cmd.Process.Pid))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(status), line+":")
	kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	require.NoError(t, err)
	return kib << 10
}
