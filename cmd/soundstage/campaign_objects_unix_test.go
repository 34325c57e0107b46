//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// An S3 server that refuses all requests for a while, or whose connections are cut, delayed, or dropped without a word, delays jobs and loses
// nothing.
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
	link := c.objects.link
	while := func(begin, end func()) func(context.Context) {
		return func(ctx context.Context) { begin(); <-ctx.Done(); end() }
	}
	refuse := func(code string) func(context.Context) {
		return while(func() { c.objects.refuse(code) }, func() { c.objects.refuse("") })
	}
	faults := []storeFault{
		{"cut every 0.2 s", 10 * time.Second, func(ctx context.Context) {
			for ; ctx.Err() == nil; pauseFor(ctx, 200*time.Millisecond) {
				link.cut()
			}
		}},
		{"delay by 2 s", 30 * time.Second, while(func() { link.delay(2000) }, link.heal)},
		{"drop everything", time.Minute, while(link.drop, link.heal)},
		{"ServiceUnavailable", time.Minute, refuse("ServiceUnavailable")},
		{"SlowDown", time.Minute, refuse("SlowDown")},
	}
	if *cycles == 0 { // after the others, jobs wait 30 s
		faults = faults[:1]
		faults[0].lasts = 2 * time.Second
	}
	for _, fault := range faults {
		one.storeFault(t, fault)
		began := time.Now()
		v.settle(l.ledger.list(time.Time{}))
		require.Empty(t, v.wrong)
		t.Logf("%s: everything done after %v", fault.name, time.Since(began).Round(time.Millisecond))
	}
	v.promises(l.ledger.list(time.Time{}))
	v.recordings()
	require.Empty(t, v.wrong)
}

// storeFault is something that happens to the S3 server for a while.
type storeFault struct {
	name   string
	lasts  time.Duration
	happen func(context.Context) // until the context ends
}

// storeFault uploads and imports before a fault, while it lasts, and after it.
func (c *loadClient) storeFault(t *testing.T, f storeFault) {
	for range 3 {
		require.NoError(t, c.upload())
	}
	tries, longest := 0, time.Duration(0)
	ctx, cancel := context.WithTimeout(t.Context(), f.lasts)
	defer cancel()
	var fault sync.WaitGroup
	fault.Go(func() { f.happen(ctx) })
	for ; ctx.Err() == nil; pauseFor(ctx, 100*time.Millisecond) {
		began := time.Now()
		_ = c.importFile()
		_ = c.upload()
		tries++
		longest = max(longest, time.Since(began))
	}
	fault.Wait()
	require.NoError(t, c.upload())
	t.Logf("%s for %v: %d uploads and imports tried, each within %v", f.name, f.lasts, tries, longest.Round(time.Millisecond))
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
