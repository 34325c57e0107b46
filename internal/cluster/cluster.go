// Package cluster runs many nodes on one machine, as processes of their own: PostgreSQL, an S3 server, API nodes behind a proxy, and
// workers. `make demo-cluster` and the conformance check use it; docs/scale.md explains the parts.
//
//	c, err := cluster.Start(ctx, cluster.Config{Program: "bin/soundstage"})
//	if err != nil {
//		return err
//	}
//	defer c.Stop()
//	// A client of c.URL authenticates with c.Secrets["platform"].
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/soundstage-dev/soundstage/internal/pgtest"
	"github.com/soundstage-dev/soundstage/internal/s3test"
)

// Config configures a Cluster.
type Config struct {
	Program string // path of soundstage; required
	APIs    int    // API nodes; default 2
	Workers int    // default 2
	// Public nodes refuse webhooks and downloads at private addresses, like those of a public service.
	Public bool
}

// Cluster is a running cluster.
type Cluster struct {
	URL     string            // of the proxy, "http://127.0.0.1:40123"
	Secrets map[string]string // by role: platform, automation, core, and none are of one account, other belongs to another one
	APIs    []*Node
	Workers []*Node
	Proxy   *Proxy

	c        Config
	dir      string // for logs, secrets, and temporary files
	database string // address
	bucket   s3test.Bucket
	guard    *guard
	closers  []func()
}

// Start starts a cluster, and returns when all of its nodes are ready. Stop ends it. On unix, it also ends within seconds if this program is
// killed.
func Start(ctx context.Context, c Config) (_ *Cluster, err error) {
	if c.APIs == 0 {
		c.APIs = 2
	}
	if c.Workers == 0 {
		c.Workers = 2
	}
	l := &Cluster{c: c, Secrets: map[string]string{}}
	defer func() {
		if err != nil {
			l.Stop()
		}
	}()
	for _, step := range []func(context.Context) error{l.makeFolder, l.startDatabase, l.startObjects, l.migrate, l.createKeys, l.startNodes} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Stop ends everything that Start started, and removes all files.
func (l *Cluster) Stop() {
	for i := len(l.closers) - 1; i >= 0; i-- {
		l.closers[i]()
	}
	l.closers = nil
}

func (l *Cluster) onStop(f func()) { l.closers = append(l.closers, f) }

func (l *Cluster) makeFolder(context.Context) (err error) {
	if l.c.Program, err = filepath.Abs(l.c.Program); err != nil {
		return err
	}
	if l.guard, err = startGuard(); err != nil {
		return err
	}
	l.onStop(l.guard.stop)
	if l.dir, err = os.MkdirTemp("", "soundstage-cluster-"); err != nil {
		return err
	}
	l.onStop(func() { _ = os.RemoveAll(l.dir) })
	if err := l.guard.watch(l.dir); err != nil {
		return err
	}
	return os.WriteFile(l.signingKey(), []byte(rand.Text()+rand.Text()+"\n"), 0o600)
}

func (l *Cluster) signingKey() string { return filepath.Join(l.dir, "signing-key") }

func (l *Cluster) startDatabase(context.Context) error {
	server, err := pgtest.Start()
	if err != nil {
		return err
	}
	l.onStop(server.Remove)
	l.database = server.URL()
	return l.guard.watch(server.Folder())
}

func (l *Cluster) startObjects(ctx context.Context) error {
	server, err := s3test.Start(l.dir)
	if err != nil {
		return err
	}
	l.onStop(server.Stop)
	l.bucket = s3test.Bucket{Server: server, Name: "soundstage"}
	return l.bucket.Create(ctx)
}

func (l *Cluster) migrate(ctx context.Context) error {
	_, err := l.output(ctx, "migrate", "--database", l.database)
	return err
}

// otherAccount owns the key of the role other.
const otherAccount = "00000000-0000-4000-8000-000000000002"

// createKeys creates a key of each role, and writes them to SecretFile.
func (l *Cluster) createKeys(ctx context.Context) error {
	var file strings.Builder
	for _, role := range []string{"platform", "automation", "core", "none", "other"} {
		args := []string{"keys", "create", "--database", l.database, "--tier", role}
		if role == "other" {
			args = []string{"keys", "create", "--database", l.database, "--account", otherAccount}
		}
		secret, err := l.output(ctx, args...)
		if err != nil {
			return err
		}
		l.Secrets[role] = strings.TrimSpace(secret)
		fmt.Fprintln(&file, role, l.Secrets[role])
	}
	return os.WriteFile(l.SecretFile(), []byte(file.String()), 0o600)
}

// SecretFile returns the path of the file with the secret of each role, for soundstage conformance --secret-file.
func (l *Cluster) SecretFile() string { return filepath.Join(l.dir, "secrets") }

// startNodes starts the proxy and all nodes.
func (l *Cluster) startNodes(ctx context.Context) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	l.URL = "http://" + listener.Addr().String()
	for i := range l.c.APIs {
		l.APIs = append(l.APIs, l.newNode(fmt.Sprintf("API node %d", i+1), "serve", "--no-work", "--drain-delay", "1s",
			"--signing-key-file", l.signingKey(), "--public-url", l.URL, "--addr", "127.0.0.1:0"))
	}
	for i := range l.c.Workers {
		l.Workers = append(l.Workers, l.newNode(fmt.Sprintf("worker %d", i+1), "work"))
	}
	l.onStop(l.stopNodes)
	addrs, err := l.startAll(ctx)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	l.serve(listener, addrs)
	return until(ctx, startTimeout, "the proxy finds no node that is ready", func() bool { return ready(ctx, http.DefaultClient, l.URL) })
}

// startAll starts all nodes at the same time, waits until they are ready, and returns the addresses of the API nodes.
func (l *Cluster) startAll(ctx context.Context) (addrs []string, err error) {
	for _, n := range l.nodes() {
		if err := n.start(); err != nil {
			return nil, err
		}
	}
	for _, n := range l.nodes() {
		addr, err := n.waitReady(ctx)
		if err != nil {
			return nil, err
		}
		if addr != "" {
			addrs = append(addrs, addr)
		}
	}
	return addrs, nil
}

func (l *Cluster) nodes() []*Node { return append(append([]*Node{}, l.APIs...), l.Workers...) }

// stopNodes stops all nodes at the same time.
func (l *Cluster) stopNodes() {
	var all sync.WaitGroup
	for _, n := range l.nodes() {
		all.Go(n.Terminate)
	}
	all.Wait()
}

// serve runs the proxy until Stop.
func (l *Cluster) serve(listener net.Listener, addrs []string) {
	l.Proxy = NewProxy(addrs...)
	watch, stop := context.WithCancel(context.Background())
	server := &http.Server{Handler: l.Proxy, ReadHeaderTimeout: 10 * time.Second}
	go l.Proxy.Watch(watch)
	go func() { _ = server.Serve(listener) }()
	l.onStop(func() { stop(); _ = server.Close() })
}

// environment returns the environment of a node: the keys of the storage, and nothing else of Soundstage.
func (l *Cluster) environment() []string {
	var env []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "SOUNDSTAGE_") && !strings.HasPrefix(variable, "AWS_") {
			env = append(env, variable)
		}
	}
	return append(env, "AWS_ACCESS_KEY_ID="+l.bucket.AccessKey, "AWS_SECRET_ACCESS_KEY="+l.bucket.SecretKey, "TMPDIR="+l.dir)
}

// output runs the program with arguments, and returns its standard output.
func (l *Cluster) output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, l.c.Program, args...)
	cmd.Env = l.environment()
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("soundstage %s: %w: %s", args[0], err, problems.String())
	}
	return string(out), nil
}
