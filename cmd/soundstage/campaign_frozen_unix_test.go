//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// A worker that is frozen longer than its lease loses its job to another worker. When it is woken, its writes are dropped: the result is the
// other's, and one message says so.
func TestCampaignFrozen(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	n := campaignCycles(1)
	k := newClusterCampaign(t)
	for i := range n {
		k.freeze(fmt.Sprintf("held-%d", i+1))
		k.model.holdAgain()
	}
	k.resumes.settle(t, k.model, map[string]time.Duration{"SIGSTOP": 45 * time.Second})
	t.Logf("%d cycles%v", n, &k.resumes)
}

// freeze begins a job, and freezes its worker until another worker has done it.
func (k *clusterCampaign) freeze(job string) {
	one := k.client(k.load, k.apis[0], 1)
	get := func(path string) map[string]any {
		v, err := one.call("GET", path, nil, 200)
		require.NoError(k.t, err)
		return v
	}
	v, err := one.call("POST", fmt.Sprint("/v1/recordings/", k.base.Load(), "/generate"), map[string]any{"prompt": "Write about " + job + ".", "name": one.name("title")}, 202)
	require.NoError(k.t, err)
	id := fmt.Sprint(v["output_id"])
	frozen := k.workerOf(job)
	require.NoError(k.t, frozen.cmd.Process.Signal(syscall.SIGSTOP))
	k.resumes.add("SIGSTOP", []string{job}, time.Now())
	if *cycles == 0 { // the lease of 30 s ends now
		k.query("UPDATE jobs SET lease_until = 1 WHERE status = 'running' AND ref = '" + id + "' RETURNING id")
	}
	eventually(k.t, job, func() (string, bool) { return "not resumed", k.model.count(job) > 1 })
	k.model.release() // both workers get an answer, which the frozen one can't read yet
	eventually(k.t, id, func() (string, bool) { s := get("/v1/outputs/" + id)["status"]; return fmt.Sprint(s), s == "completed" })
	done := get("/v1/outputs/" + id)
	require.NotContains(k.t, fmt.Sprint(done), frozen.name)
	require.NoError(k.t, frozen.cmd.Process.Signal(syscall.SIGCONT))
	eventually(k.t, frozen.name, func() (string, bool) { return "silent", strings.Contains(frozen.log.String(), "lease lost") })
	require.Equal(k.t, done, get("/v1/outputs/"+id))
	event := "output.completed " + id
	eventually(k.t, event, func() (string, bool) { return "not received", k.hooks.has(event) })
	k.hooks.mu.Lock()
	defer k.hooks.mu.Unlock()
	require.Len(k.t, k.hooks.sent[event], 1)
}

// workerOf waits until a worker has a job, and returns it.
func (k *clusterCampaign) workerOf(job string) (found *clusterNode) {
	eventually(k.t, job, func() (string, bool) {
		for _, n := range k.workers {
			if slices.Contains(k.model.running(n.name), job) {
				found = n
			}
		}
		return "waiting", found != nil
	})
	return found
}
