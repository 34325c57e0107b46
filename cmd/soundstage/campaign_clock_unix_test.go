//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The clock of the database server is the only one that counts. It is 5 minutes ahead of that of the nodes, or behind: jobs begin at once, no
// lease expires under a worker, and times are the server's. The server's clock is replaced because a library can do that for PostgreSQL, and not
// for programs in Go.
func TestCampaignClock(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	library, _ := filepath.Glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
	if len(library) == 0 {
		if os.Getenv("CI") == "true" {
			t.Fatal("libfaketime is missing: run .ci/setup test")
		}
		t.Skip("libfaketime is missing: apt-get install libfaketime")
	}
	c := newCluster(t)
	for i, offset := range []time.Duration{5 * time.Minute, -5 * time.Minute} {
		c.pg.SetEnv("LD_PRELOAD="+library[0], fmt.Sprintf("FAKETIME=%+d", int(offset.Seconds())), "FAKETIME_DONT_FAKE_MONOTONIC=1")
		c.pg.Stop(t)
		c.pg.Start(t)
		l := newLoad(t, c.hooks.URL)
		l.retry = true // a busy machine may let a connection of the database time out
		api, worker := c.api(), c.worker()
		one, job, began := c.client(l, api, 1), fmt.Sprintf("slow-%d", i+1), time.Now()
		one.makeBase(&process{t: t, url: api.url})
		v, err := one.call("POST", fmt.Sprint("/v1/recordings/", l.base.Load(), "/generate"), map[string]any{"prompt": "Write about " + job + ".", "name": job}, 202)
		require.NoError(t, err)
		path := fmt.Sprint("/v1/outputs/", v["output_id"])
		eventually(t, path, func() (string, bool) {
			v, err = one.call("GET", path, nil, 200)
			return fmt.Sprint(v, err), err == nil && v["status"] == "completed"
		})
		took := time.Since(began)
		require.Less(t, took, 30*time.Second)
		at, err := time.Parse(time.RFC3339, fmt.Sprint(v["created_at"]))
		require.NoError(t, err)
		require.InDelta(t, offset.Seconds(), at.Sub(began).Seconds(), 30)
		require.Equal(t, 1, c.model.count(job))
		require.NotContains(t, worker.log.String(), "lease")
		t.Logf("server %v from the nodes: a transcript and an output after %v", offset, took.Round(time.Millisecond))
		for _, n := range []*clusterNode{api, worker} {
			c.end(n, syscall.SIGTERM)
		}
	}
}
