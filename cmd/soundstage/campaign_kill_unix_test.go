//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// killing is the state of TestCampaignKill.
type killing struct {
	*load
	t     *testing.T
	dir   string
	hooks *hooks
	rng   *rand.Rand

	checked  int // promises that are verified
	restarts durations
	killed   map[string]int // by what was killed
}

// A server that is killed at random moments, under a mixed load, loses nothing that it acknowledged, ends every job, and sends each event
// with one ID only. In between, its child processes are killed, and it is stopped and continued.
func TestCampaignKill(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	h := newHooks(t)
	k := &killing{load: newLoad(t, h.URL), t: t, dir: t.TempDir(), hooks: h, rng: campaignRandom(0), killed: map[string]int{}}
	k.prepare()
	const settleEvery = 5 // a job may be interrupted 49 times
	n := campaignCycles(3)
	for i := range n {
		k.cycle(uint64(i))
		if i%settleEvery == settleEvery-1 || i == n-1 {
			k.settle(i == n-1)
		}
		if i%100 == 99 {
			k.report(i + 1)
		}
	}
	k.report(n)
}

func (k *killing) report(cycles int) {
	k.t.Logf("%d cycles, %d acknowledged writes, %d of them resources, %d messages repeated after a kill, killed %v; restarts: %v",
		cycles, k.ledger.writes(), len(k.ledger.list(time.Time{})), k.hooks.again, k.killed, &k.restarts)
}

// serve starts the server, and measures how long that takes.
func (k *killing) serve() *process {
	began := time.Now()
	p := serveProcess(k.t, nil, "--data", k.dir, "--allow-private-urls")
	k.restarts.add(time.Since(began))
	return p
}

func (k *killing) client(ctx context.Context, p *process, part uint64) *loadClient {
	return &loadClient{load: k.load, ctx: ctx, url: p.url, rng: campaignRandom(part)}
}

// prepare subscribes a webhook and makes the base recording.
func (k *killing) prepare() {
	p := k.serve()
	c := k.client(k.t.Context(), p, 1)
	_, err := c.call("POST", "/v1/webhooks", map[string]any{"url": k.hooks.URL + "/hook", "events": []string{"transcript.completed", "output.completed"}}, 201)
	require.NoError(k.t, err)
	c.makeBase(p)
	require.NoError(k.t, p.signal(syscall.SIGTERM))
}

// cycle starts the server, checks what it acknowledged since the last check, and kills it under load.
func (k *killing) cycle(i uint64) {
	p := k.serve()
	k.verify(p, false)
	k.heavy.Store(1)
	ctx, cancel := context.WithCancel(k.t.Context())
	defer cancel()
	var clients sync.WaitGroup
	for n := range uint64(4) {
		clients.Go(func() { k.client(ctx, p, i*16+n+2).run() })
	}
	k.kill(p)
	cancel()
	clients.Wait()
	require.False(k.t, k.t.Failed())
}

// kill kills the server after a random number of acknowledged writes and a random time. Before that, it may kill the children or stop
// the server for a while.
func (k *killing) kill(p *process) {
	from, writes, more := k.ledger.writes(), k.rng.IntN(40), time.Duration(k.rng.IntN(40_000))*time.Microsecond
	eventually(k.t, "load", func() (string, bool) { n := k.ledger.writes() - from; return fmt.Sprint(n, " writes"), n >= writes })
	pid := p.cmd.Process.Pid
	switch k.rng.IntN(4) {
	case 0:
		from := k.ledger.writes()
		eventually(k.t, "children", func() (string, bool) { return "none", len(childrenOf(pid)) > 0 || k.ledger.writes() > from+100 })
		for _, child := range childrenOf(pid) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			k.killed["children"]++
		}
	case 1:
		require.NoError(k.t, syscall.Kill(pid, syscall.SIGSTOP))
		<-time.After(more)
		require.NoError(k.t, syscall.Kill(pid, syscall.SIGCONT))
		k.killed["stopped"]++
	}
	<-time.After(more)
	children := childrenOf(pid)
	require.Error(k.t, p.signal(syscall.SIGKILL))
	k.killed["servers"]++
	for _, child := range children {
		eventually(k.t, fmt.Sprint("child ", child), func() (string, bool) { return "running", !running(child) })
	}
}

// verify checks the promises since the last check, or all.
func (k *killing) verify(p *process, all bool) *verifier {
	v := &verifier{loadClient: k.client(k.t.Context(), p, 1)}
	list := k.ledger.list(time.Time{})
	if all {
		k.checked = 0
	}
	v.promises(list[k.checked:])
	k.checked = len(list)
	v.speakers()
	require.Empty(k.t, v.wrong)
	return v
}

// settle starts the server, waits until every job has ended, and looks for duplicates. Then it stops or kills the server.
func (k *killing) settle(last bool) {
	p := k.serve()
	v := k.verify(p, last)
	v.settle(k.ledger.list(time.Time{}))
	v.recordings()
	v.outputs()
	require.Empty(k.t, v.wrong)
	k.deliveries(v)
	if !last {
		require.Error(k.t, p.signal(syscall.SIGKILL))
		return
	}
	require.NoError(k.t, p.signal(syscall.SIGTERM))
	v.folder(k.dir, k.ledger.list(time.Time{}))
	require.Empty(k.t, v.wrong)
}

// deliveries waits for the events of all recordings and outputs. Each has one ID.
func (k *killing) deliveries(v *verifier) {
	var want []string
	for _, id := range v.recordings() {
		want = append(want, "transcript.completed "+id)
	}
	for _, p := range k.ledger.list(time.Time{}) {
		if id, ok := strings.CutPrefix(p.path, "/v1/outputs/"); ok {
			want = append(want, "output.completed "+id)
		}
	}
	_, err := v.call("POST", "/_soundstage/idle", map[string]any{"timeout_ms": campaignTimeout.Milliseconds()}, 200) // retries wait for the clock; this moves it
	require.NoError(k.t, err)
	for _, event := range want {
		eventually(k.t, event, func() (string, bool) { return "not received", k.hooks.has(event) })
	}
	k.hooks.mu.Lock()
	defer k.hooks.mu.Unlock()
	for event, ids := range k.hooks.sent {
		require.Len(k.t, ids, 1, event)
	}
}

// childrenOf returns the processes that a process has started, on Linux.
func childrenOf(pid int) (children []int) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(text)) {
			n, _ := strconv.Atoi(child)
			children = append(children, n)
		}
	}
	return children
}

// running reports whether a process runs; a zombie doesn't.
func running(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}
