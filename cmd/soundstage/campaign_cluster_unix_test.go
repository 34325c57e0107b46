//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// resumeLimits returns how long a job may wait after its worker was killed, or was stopped. With -cycles, they are the limits of the design.
// Without, a busy machine has more time for what needs no lease to expire.
func resumeLimits() map[string]time.Duration {
	stopped := 2 * time.Second
	if *cycles == 0 {
		stopped = 15 * time.Second // half of a lease
	}
	return map[string]time.Duration{"SIGKILL": 45 * time.Second, "SIGTERM": stopped}
}

// clusterCampaign is a cluster of two API nodes and two workers under a mixed load with faults.
type clusterCampaign struct {
	*cluster
	*load
	t        *testing.T
	rng      *rand.Rand
	resumes  resumes
	values   registers
	statuses *history
	faults   map[string]int
	slow     int
	settles  durations // how long the cluster needs for what is left to do
}

func newClusterCampaign(t *testing.T) *clusterCampaign {
	t.Helper()
	c := newCluster(t)
	k := &clusterCampaign{cluster: c, load: newLoad(t, c.hooks.URL), t: t, rng: campaignRandom(8 << 32), statuses: newHistory(), faults: map[string]int{}}
	k.load.retry = true
	k.values = registers{history: newHistory(), c: c}
	a := k.api()
	k.api()
	k.worker()
	k.worker()
	one := k.client(k.load, a, 1)
	_, err := one.call("POST", "/v1/webhooks", map[string]any{"url": c.hooks.URL + "/hook", "events": []string{"transcript.completed", "output.completed"}}, 201)
	require.NoError(t, err)
	one.makeBase(&process{t: t, url: a.url})
	return k
}

// clusterFault is something that happens to a cluster.
type clusterFault struct {
	name   string
	happen func()
}

// cycles runs a fault under load for each cycle, and lets the cluster settle every 10.
func (k *clusterCampaign) cycles(n int, faults []clusterFault) {
	const settleEvery = 10
	others := load{t: k.t, ledger: new(ledger), retry: true, secret: "sk_sandbox_other"}
	for from := 0; from < n; from += settleEvery {
		ctx, cancel := context.WithCancel(k.t.Context())
		defer cancel()
		var clients sync.WaitGroup
		for i := range 3 {
			clients.Go(func() { k.run(ctx, k.load, uint64(from*16+i+2)) })
			clients.Go(func() { k.values.run(ctx, &others, i) })
		}
		clients.Go(func() { k.watchStatuses(ctx, k.load, k.statuses, 0) })
		for i := from; i < min(from+settleEvery, n); i++ {
			k.heavy.Store(1)
			k.moreSlow()
			k.someWrites()
			fault := faults[i%len(faults)]
			k.faults[fault.name]++
			fault.happen()
		}
		cancel()
		clients.Wait()
		began := time.Now()
		k.settle()
		k.settles.add(time.Since(began))
	}
	k.report(n)
}

// moreSlow begins two jobs that take seconds, so that faults interrupt some. It tries until a node has taken both.
func (k *clusterCampaign) moreSlow() {
	for range 2 {
		k.slow++
		name := fmt.Sprintf("slow-%d", k.slow)
		eventually(k.t, name, func() (string, bool) {
			one := k.client(k.load, k.any(&k.apis, k.rng), 1)
			v, err := one.call("POST", fmt.Sprint("/v1/recordings/", k.base.Load(), "/generate"), map[string]any{"prompt": "Write about " + name + ".", "name": one.name("output-of-" + name)}, 202)
			if err != nil {
				return err.Error(), false
			}
			k.ledger.add(promise{path: fmt.Sprint("/v1/outputs/", v["output_id"]), status: "status"})
			return "", true
		})
	}
}

// someWrites waits for a random number of acknowledged writes.
func (k *clusterCampaign) someWrites() {
	from, n := k.ledger.writes(), 5+k.rng.IntN(30)
	eventually(k.t, "writes", func() (string, bool) { now := k.ledger.writes() - from; return fmt.Sprint(now), now >= n })
}

// busyWorker waits until a worker has a slow job, and returns it.
func (k *clusterCampaign) busyWorker() (busy *clusterNode) {
	more := time.Now()
	eventually(k.t, "workers", func() (string, bool) {
		if time.Since(more) > time.Second { // the slow jobs may have ended
			k.moreSlow()
			more = time.Now()
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		for _, i := range k.rng.Perm(len(k.workers)) {
			if len(k.slowJobs(k.workers[i])) > 0 {
				busy = k.workers[i]
			}
		}
		return "idle", busy != nil
	})
	return busy
}

// slowJobs returns the slow jobs of a worker. Others may end at any moment.
func (k *clusterCampaign) slowJobs(n *clusterNode) []string {
	return slices.DeleteFunc(k.model.running(n.name), func(job string) bool { return !strings.HasPrefix(job, "slow-") })
}

// endNode ends a node by a signal, and starts another.
func (k *clusterCampaign) endNode(n *clusterNode, start func(...string) *clusterNode, s syscall.Signal) {
	jobs, at := k.slowJobs(n), time.Now()
	k.end(n, s)
	k.resumes.add(signalName[s], jobs, at)
	start()
}

var signalName = map[syscall.Signal]string{syscall.SIGKILL: "SIGKILL", syscall.SIGTERM: "SIGTERM"}

// settle waits until all jobs have ended, and compares the cluster with the ledger.
func (k *clusterCampaign) settle() {
	v := &verifier{loadClient: k.client(k.load, k.any(&k.apis, k.rng), 1)}
	list := k.ledger.list(time.Time{})
	v.promises(list)
	v.speakers()
	v.settle(list)
	v.recordings()
	v.outputs()
	require.Empty(k.t, v.wrong)
	k.checkRenders()
	k.deliveries(v)
	k.resumes.settle(k.t, k.model, resumeLimits())
	require.False(k.t, k.t.Failed())
}

// deliveries waits for the event of each recording and output, and checks that each has one ID.
func (k *clusterCampaign) deliveries(v *verifier) {
	var want []string
	for _, id := range v.recordings() {
		want = append(want, "transcript.completed "+id)
	}
	for _, p := range k.ledger.list(time.Time{}) {
		if id, ok := strings.CutPrefix(p.path, "/v1/outputs/"); ok {
			want = append(want, "output.completed "+id)
		}
	}
	for _, event := range want {
		eventually(k.t, event, func() (string, bool) { return "not received", k.hooks.has(event) })
	}
	k.hooks.mu.Lock()
	defer k.hooks.mu.Unlock()
	for event, ids := range k.hooks.sent {
		require.Len(k.t, ids, 1, event)
	}
}

// checkRenders checks that there is one render for each request that was acknowledged, and none that nobody sent.
func (k *clusterCampaign) checkRenders() {
	rows := k.query("SELECT id FROM renders")
	acked := 0
	for _, p := range k.ledger.list(time.Time{}) {
		if id, ok := strings.CutPrefix(p.path, "/v1/renders/"); ok {
			require.Contains(k.t, rows, id)
			acked++
		}
	}
	require.LessOrEqual(k.t, len(rows), int(k.load.renders.Load()))
	require.GreaterOrEqual(k.t, len(rows), acked)
}

// report checks the histories and logs the figures.
func (k *clusterCampaign) report(n int) {
	values, jobs := k.values.check(k.t, values), k.statuses.check(k.t, statuses)
	k.t.Logf("%d cycles %v, %d acknowledged writes, %d of them resources, %d messages repeated; histories of %d values and %d statuses are linearizable; everything done after %v%v",
		n, k.faults, k.ledger.writes(), len(k.ledger.list(time.Time{})), k.hooks.again, values, jobs, &k.settles, &k.resumes)
}

// Nodes that are killed or stopped at random moments, under a mixed load, lose nothing that they acknowledged. Every job is resumed in time,
// ends, and has one event.
func TestCampaignCluster(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	k := newClusterCampaign(t)
	killWorker := func() { k.endNode(k.busyWorker(), k.worker, syscall.SIGKILL) }
	k.cycles(campaignCycles(2), []clusterFault{ // without -cycles, only those that need no lease to expire
		{"kill an API node", func() { k.endNode(k.any(&k.apis, k.rng), k.api, syscall.SIGKILL) }},
		{"stop a worker", func() { k.endNode(k.busyWorker(), k.worker, syscall.SIGTERM) }},
		{"kill a worker", killWorker}, {"kill a worker", killWorker}, {"kill a worker", killWorker},
	})
}
