package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/powerloss"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// outage is a recorded run of a server under load.
type outage struct {
	*load
	t     *testing.T
	trace *powerloss.Trace
	first int // the first moment with an acknowledgement
}

// A power failure at a random moment loses nothing that was acknowledged before it. In one half of the cycles, everything that isn't
// durable is lost; in the other half, random parts of it survive.
func TestCampaignPowerLoss(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it traces the program")
	needStrace(t)
	n := campaignCycles(2)
	o := recordOutage(t, 40+4*n)
	rng, checked := campaignRandom(2<<32), 0
	for i := range n {
		share := (float64(i) + rng.Float64()) / float64(n) // spreads the moments over the run
		at, options := o.first+int(share*float64(o.trace.Len()-o.first)), powerloss.Options{}
		if i%2 == 1 {
			options.Random = rng
		}
		require.Empty(t, o.restart(at, options, i%5 == 3), "failure at %d of %d", at, o.trace.Len())
		checked += len(o.ledger.list(o.trace.Time(at)))
	}
	t.Logf("%d cycles of %d events, %d acknowledged writes, %d checked resources", n, o.trace.Len(), o.ledger.writes(), checked)

	// The test sees when a file system only pretends that bytes or names are durable.
	controls := []func(path string) bool{
		func(path string) bool { return strings.HasSuffix(path, "-wal") },
		func(path string) bool { return strings.Contains(path, "@") }, // the files of blobs
		func(path string) bool { return path == "data" || path == "data/blobs" || path == "data/blobs/uploads" },
	}
	for i, lying := range controls[:min(n-1, len(controls))] {
		lost := o.restart(o.trace.Len()-1, powerloss.Options{Lying: lying}, false)
		require.NotEmpty(t, lost, i)
		t.Logf("control %d: %d losses, such as %s", i, len(lost), lost[0])
	}
}

// needStrace skips a test where the system forbids to trace programs, and without strace unless CI=true.
func needStrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil && os.Getenv("CI") == "true" {
		t.Fatal("strace is missing: run `make setup`")
	}
	if out, err := exec.Command("strace", append(powerloss.Strace(os.DevNull), "true")...).CombinedOutput(); err != nil {
		t.Skipf("strace doesn't work: run `make setup`: %v %s", err, out)
	}
}

// recordOutage traces a server under load until it has acknowledged that many writes.
func recordOutage(t *testing.T, writes int) *outage {
	t.Helper()
	h := newHooks(t)
	o := &outage{load: newLoad(t, h.URL), t: t}
	root, log := t.TempDir(), filepath.Join(t.TempDir(), "strace")
	program := programCommand("serve", "--addr", "127.0.0.1:0", "--log", "off", "--allow-private-urls", "--data", filepath.Join(root, "data"))
	cmd := exec.Command("strace", append(powerloss.Strace(log), program.Args...)...)
	cmd.Env = program.Env
	p := startProcess(t, cmd)
	children := childrenOf(cmd.Process.Pid)
	require.Len(t, children, 1)
	defer func() { _ = syscall.Kill(children[0], syscall.SIGKILL) }() // not of strace, which would release it

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client := func(part uint64) *loadClient {
		return &loadClient{load: o.load, ctx: ctx, url: p.url, rng: campaignRandom(3<<32 + part)}
	}
	began := time.Now()
	client(0).makeBase(p)
	o.heavy.Store(2)
	var clients sync.WaitGroup
	for n := range uint64(3) {
		clients.Go(client(n + 1).run)
	}
	eventually(t, "load", func() (string, bool) { return "running", o.ledger.writes() >= writes })
	require.NoError(t, syscall.Kill(children[0], syscall.SIGKILL))
	cancel()
	clients.Wait()
	<-p.exited
	var err error
	o.trace, err = powerloss.Parse(log, root, func(path string) bool {
		return strings.HasPrefix(path, "data/tmp") || strings.HasSuffix(path, "-shm") // neither is needed after a power failure
	})
	require.NoError(t, err)
	for o.first < o.trace.Len()-1 && o.trace.Time(o.first).Before(began) {
		o.first++
	}
	return o
}

// restart starts a server on what a power failure left, and returns what it has lost. If settle is set, every job must end.
func (o *outage) restart(at int, options powerloss.Options, settle bool) []string {
	o.t.Helper()
	root := o.t.TempDir()
	require.NoError(o.t, o.trace.Crash(root, at, options))
	before, dir := o.trace.Time(at), filepath.Join(root, "data")
	p, err := tryProcess(o.t, programCommand("serve", "--addr", "127.0.0.1:0", "--log", "off", "--allow-private-urls", "--data", dir))
	if err != nil {
		return []string{err.Error()} // the server sees that something is lost
	}
	v := &verifier{loadClient: &loadClient{load: o.load, ctx: o.t.Context(), url: p.url}, before: before}
	var list []*promise
	for _, one := range o.ledger.list(before) {
		one := *one
		list = append(list, &one)
	}
	v.promises(list)
	v.speakers()
	v.recordings()
	if settle {
		v.settle(list)
	}
	require.NoError(o.t, p.signal(syscall.SIGTERM))
	v.folder(dir, list)
	return v.wrong
}
