//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// cluster is a PostgreSQL server, an S3 bucket, and nodes in processes of their own. The nodes reach both through proxies that make faults.
type cluster struct {
	t        *testing.T
	pg       *pgtest.Server
	database *faultyLink  // to PostgreSQL
	objects  *faultyStore // to S3
	model    *slowModel
	hooks    *hooks
	key      string   // file
	env      []string // of nodes that start from now on, besides the test's own

	mu      sync.Mutex
	apis    []*clusterNode
	workers []*clusterNode
	started int
}

// newCluster starts the servers, and creates the account of the sandbox with its key. It starts no nodes.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	needFFmpeg(t)
	c := &cluster{t: t, pg: pgtest.New(t), model: newSlowModel(t), hooks: newHooks(t), key: filepath.Join(t.TempDir(), "signing.key")}
	c.objects = newFaultyStore(t, s3test.New(t))
	c.database = newFaultyLink(t, c.pg.Listen(t))
	require.NoError(t, os.WriteFile(c.key, []byte(strings.Repeat("k", 32)), 0o600))
	store := c.store()
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	require.NoError(t, err)
	owner, other, err := emulator.Accounts(t.Context(), e)
	require.NoError(t, err)
	for secret, caller := range map[string]engine.Caller{"sk_sandbox_platform": owner, "sk_sandbox_other": other} {
		_, _, err = e.CreateKey(t.Context(), caller, engine.NewKey{Tier: engine.TierPlatform, Secret: secret})
		require.NoError(t, err)
	}
	require.NoError(t, e.Close())
	require.NoError(t, store.Close())
	return c
}

// store opens the database without the proxy.
func (c *cluster) store() *postgres.Store {
	c.t.Helper()
	store, err := postgres.Open(c.t.Context(), c.pg.URL())
	require.NoError(c.t, err)
	c.t.Cleanup(func() { require.NoError(c.t, store.Close()) })
	return store
}

// query returns the first column of a query.
func (c *cluster) query(sql string) []string {
	c.t.Helper()
	conn, err := pgx.Connect(c.t.Context(), c.pg.URL())
	require.NoError(c.t, err)
	defer func() { require.NoError(c.t, conn.Close(context.Background())) }()
	rows, err := conn.Query(c.t.Context(), sql)
	require.NoError(c.t, err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(c.t, err)
	return values
}

// url returns the URL of the database at the proxy.
func (c *cluster) url() string {
	return "postgres://soundstage@" + c.database.addr + "/postgres?sslmode=disable"
}

// clusterNode is a node in a process of its own.
type clusterNode struct {
	name   string // unique, also among nodes that are gone
	url    string // of an API node
	cmd    *exec.Cmd
	exited chan error
	log    *lockedBuffer
}

// api starts an API node.
func (c *cluster) api(args ...string) *clusterNode {
	c.t.Helper()
	n := c.start("serve", append([]string{
		"--addr", "127.0.0.1:0", "--no-work", "--signing-key-file", c.key, "--drain-delay", "0s", "--allow-private-urls", "--log", "off",
	}, args...)...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.apis = append(c.apis, n)
	return n
}

// worker starts a worker whose language model is slow.
func (c *cluster) worker(args ...string) *clusterNode {
	c.t.Helper()
	n := c.start("work", append([]string{"--allow-private-urls", "--slots", "12", "--llm", "openai", "--llm-model", "slow", "--llm-url", "MODEL"}, args...)...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.workers = append(c.workers, n)
	return n
}

func (c *cluster) start(command string, args ...string) *clusterNode {
	c.t.Helper()
	c.mu.Lock()
	c.started++
	n := &clusterNode{name: fmt.Sprintf("%s-%d", command, c.started), exited: make(chan error, 1), log: &lockedBuffer{}}
	c.mu.Unlock()
	for i, arg := range args {
		if arg == "MODEL" {
			args[i] = c.model.URL + "/" + n.name
		}
	}
	n.cmd = programCommand(append([]string{command, "--database", c.url(), "--objects", c.objects.address()}, args...)...)
	n.cmd.Env = append(append(n.cmd.Env, c.env...), "AWS_ACCESS_KEY_ID="+c.objects.bucket.AccessKey, "AWS_SECRET_ACCESS_KEY="+c.objects.bucket.SecretKey)
	n.cmd.Stderr = n.log
	out, err := n.cmd.StdoutPipe()
	require.NoError(c.t, err)
	require.NoError(c.t, n.cmd.Start())
	c.t.Cleanup(func() {
		_ = n.cmd.Process.Kill() // also of a process that is frozen
		if c.t.Failed() {
			c.t.Logf("log of %s:\n%s", n.name, n.log.tail())
		}
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	require.NoError(c.t, err, n.log)
	if found := listening.FindStringSubmatch(line); found != nil {
		n.url = found[1]
	}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		n.exited <- n.cmd.Wait()
	}()
	return n
}

// end sends a signal that ends a node, and waits for that.
func (c *cluster) end(n *clusterNode, s syscall.Signal) {
	c.t.Helper()
	c.mu.Lock()
	for _, list := range []*[]*clusterNode{&c.apis, &c.workers} {
		for i, one := range *list {
			if one == n {
				*list = append((*list)[:i:i], (*list)[i+1:]...)
				break
			}
		}
	}
	c.mu.Unlock()
	require.NoError(c.t, n.cmd.Process.Signal(s))
	select {
	case err := <-n.exited:
		require.Equal(c.t, s == syscall.SIGKILL, err != nil, "%v: %s", err, n.log)
	case <-time.After(time.Minute):
		require.FailNow(c.t, "the node doesn't end", "%s", n.log)
	}
}

// any returns one of the nodes of a list, or nil.
func (c *cluster) any(list *[]*clusterNode, rng *rand.Rand) *clusterNode {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*list) == 0 {
		return nil
	}
	return (*list)[rng.IntN(len(*list))]
}

// client returns a client of one API node.
func (c *cluster) client(l *load, n *clusterNode, part uint64) *loadClient {
	return &loadClient{load: l, ctx: c.t.Context(), url: n.url, rng: campaignRandom(part)}
}

// run sends random requests to random API nodes until ctx is done, with pauses: the limits of the design are for machines that aren't busy.
func (c *cluster) run(ctx context.Context, l *load, part uint64) {
	one := &loadClient{load: l, ctx: ctx, rng: campaignRandom(part)}
	for ctx.Err() == nil {
		n := c.any(&c.apis, one.rng)
		if n != nil {
			one.url = n.url
		}
		if n == nil || one.one() != nil {
			pauseFor(ctx, 50*time.Millisecond) // the node is gone, or can't reach the database
		}
		pauseFor(ctx, time.Duration(one.rng.Int64N(int64(200*time.Millisecond))))
	}
}

// lockedBuffer is a bytes.Buffer that is safe for concurrent use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// tail returns the last 16 KiB.
func (l *lockedBuffer) tail() string {
	s := l.String()
	return s[max(0, len(s)-16<<10):]
}
