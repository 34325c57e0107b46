//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// An S3 server that refuses all requests for a while delays jobs and loses nothing.
func TestCampaignObjects(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	if *cycles == 0 {
		t.Skip("jobs wait 30 s after an outage; -cycles 1 runs it")
	}
	c := newCluster(t)
	l := newLoad(t, c.hooks.URL)
	l.retry = true
	api := c.api()
	c.worker()
	one := c.client(l, api, 1)
	v := &verifier{loadClient: one}
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
