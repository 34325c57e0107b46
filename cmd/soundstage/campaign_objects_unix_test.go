//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// An S3 server that refuses all requests for a while delays jobs and loses nothing. An upload that is cut half way is not accepted, and can be
// repeated. An object that vanished or changed after its upload is never transcribed.
func TestCampaignObjects(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	c := newCluster(t)
	l := newLoad(t, c.hooks.URL)
	l.retry = true
	api := c.api()
	c.worker()
	one := c.client(l, api, 1)
	v := &verifier{loadClient: one}
	t.Run("cut", func(t *testing.T) { one.cutUpload(t) })
	t.Run("vanished", func(t *testing.T) {
		one.spoilUpload(t, c, func(key string) {
			require.NoError(t, c.objects.bucket.Client(t).RemoveObject(t.Context(), c.objects.bucket.Name, key, minio.RemoveObjectOptions{}))
		})
	})
	t.Run("changed", func(t *testing.T) {
		one.spoilUpload(t, c, func(key string) {
			_, err := c.objects.bucket.Client(t).PutObject(t.Context(), c.objects.bucket.Name, key, strings.NewReader("other"), 5, "", "", minio.PutObjectOptions{ContentType: "audio/wav"})
			require.NoError(t, err)
		})
	})
	if *cycles == 0 {
		return // jobs wait 30 s after an outage
	}
	const down = time.Minute
	for _, code := range []string{"ServiceUnavailable", "SlowDown"} {
		for range 3 {
			require.NoError(t, one.upload())
		}
		c.objects.refuse(code)
		ctx, cancel := context.WithTimeout(t.Context(), down)
		tries := 0
		for ; ctx.Err() == nil; pauseFor(ctx, 100*time.Millisecond) {
			_ = one.importFile()
			_ = one.upload()
			tries++
		}
		cancel()
		c.objects.refuse("")
		require.NoError(t, one.upload())
		began := time.Now()
		v.settle(l.ledger.list(time.Time{}))
		require.Empty(t, v.wrong)
		t.Logf("%s for %v: %d uploads and imports tried; everything done after %v", code, down, tries, time.Since(began).Round(time.Millisecond))
	}
	v.promises(l.ledger.list(time.Time{}))
	v.recordings()
	require.Empty(t, v.wrong)
}

// ask asks for an upload, and returns its address and object.
func (c *loadClient) ask(t *testing.T, size int) (address, object string) {
	t.Helper()
	up, err := c.call("POST", "/v1/uploads", map[string]any{"filename": "tone.wav", "content_type": "audio/wav", "content_size": size}, 201)
	require.NoError(t, err)
	return fmt.Sprint(up["upload_url"]), fmt.Sprint(up["object_id"])
}

// put uploads a body of a given size.
func (c *loadClient) put(address string, body io.Reader, size int) error {
	req, err := http.NewRequestWithContext(c.ctx, http.MethodPut, address, body)
	if err != nil {
		return err
	}
	req.ContentLength = int64(size)
	req.Header.Set("Content-Type", "audio/wav")
	status, _, err := c.do(req)
	if err == nil && status != 200 {
		err = fmt.Errorf("status %d", status)
	}
	return err
}

// create makes a recording of an object, and returns the status.
func (c *loadClient) create(t *testing.T, object string) (int, map[string]any) {
	t.Helper()
	status, v, err := c.send("POST", "/v1/recordings", map[string]any{"object_id": object, "title": c.name("recording")})
	require.NoError(t, err)
	return status, v
}

func (c *loadClient) cutUpload(t *testing.T) {
	media := c.sound()
	address, object := c.ask(t, len(media))
	half := io.MultiReader(bytes.NewReader(media[:len(media)/2]), iotest.ErrReader(io.ErrUnexpectedEOF))
	require.Error(t, c.put(address, half, len(media)))
	status, v := c.create(t, object)
	require.GreaterOrEqual(t, status, 400, "%v", v)
	require.Less(t, status, 500, "%v", v)
	require.NoError(t, c.put(address, bytes.NewReader(media), len(media)))
	status, v = c.create(t, object)
	require.Equal(t, 201, status, "%v", v)
}

// spoilUpload uploads, calls spoil with the key of the stored object, and makes a recording of it.
func (c *loadClient) spoilUpload(t *testing.T, k *cluster, spoil func(key string)) {
	media := c.sound()
	before := k.objects.bucket.Keys(t)
	address, object := c.ask(t, len(media))
	require.NoError(t, c.put(address, bytes.NewReader(media), len(media)))
	var added []string
	for _, key := range k.objects.bucket.Keys(t) {
		if !strings.Contains(strings.Join(before, "\n"), key) && strings.Contains(key, object) {
			added = append(added, key)
		}
	}
	require.NotEmpty(t, added, "%v", k.objects.bucket.Keys(t))
	for _, key := range added {
		spoil(key)
	}
	status, v := c.create(t, object)
	if status != 201 { // refused at once, as for bytes that the client sent to S3
		require.Less(t, status, 500, "%v", v)
		return
	}
	path := fmt.Sprint("/v1/recordings/", v["recording"].(map[string]any)["id"])
	eventually(t, path, func() (string, bool) {
		v, err := c.call("GET", path, nil, 200)
		require.NoError(t, err)
		ended := fmt.Sprint(v["recording"].(map[string]any)["transcript_status"])
		require.NotEqual(t, "completed", ended)
		return ended, ended == "error"
	})
}
