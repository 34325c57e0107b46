package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	startTimeout = time.Minute
	stopTimeout  = 10 * time.Second // of SIGTERM, before SIGKILL
	poll         = 20 * time.Millisecond
)

// Node is one process of a cluster.
type Node struct {
	Name string // "worker 1"

	program string
	args    []string
	env     []string
	log     string // path
	guard   *guard
	cmd     *exec.Cmd
	done    chan struct{} // closed when the process has ended; nil before start
}

func (l *Cluster) newNode(name, command string, args ...string) *Node {
	args = append([]string{command, "--database", l.database, "--objects", l.bucket.Address(""), "--metrics-addr", "127.0.0.1:0"}, args...)
	if !l.c.Public {
		args = append(args, "--allow-private-urls")
	}
	return &Node{Name: name, program: l.c.Program, args: args, env: l.environment(), log: filepath.Join(l.dir, name+".log"), guard: l.guard}
}

// start starts the process. It doesn't wait until the node is ready.
func (n *Node) start() error {
	log, err := os.Create(n.log)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	n.cmd = exec.Command(n.program, n.args...)
	n.cmd.Env, n.cmd.Stdout, n.cmd.Stderr = n.env, log, log
	n.guard.join(n.cmd)
	if err := n.cmd.Start(); err != nil {
		return err
	}
	n.done = make(chan struct{})
	go func() { _ = n.cmd.Wait(); close(n.done) }()
	return nil
}

// PID returns the id of the process.
func (n *Node) PID() int { return n.cmd.Process.Pid }

// Kill ends the process at once, like kill -9.
func (n *Node) Kill() {
	_ = n.cmd.Process.Kill()
	<-n.done
}

// Terminate asks the process to stop, and kills it if it takes too long.
func (n *Node) Terminate() {
	if n.done == nil {
		return
	}
	terminate(n.cmd.Process)
	select {
	case <-n.done:
	case <-time.After(stopTimeout):
		n.Kill()
	}
}

// ended reports whether the process has ended.
func (n *Node) ended() bool {
	select {
	case <-n.done:
		return true
	default:
		return false
	}
}

// Log returns what the process has printed.
func (n *Node) Log() string {
	b, _ := os.ReadFile(n.log)
	return string(b)
}

var (
	apiAddress     = regexp.MustCompile(`Soundstage node \S+ on http://(\S+) `)
	metricsAddress = regexp.MustCompile(`Metrics on http://(\S+)/metrics`)
)

func (n *Node) address(pattern *regexp.Regexp) string {
	if found := pattern.FindStringSubmatch(n.Log()); found != nil {
		return found[1]
	}
	return ""
}

// waitReady waits until the node is ready, and returns the address of its API, or "".
func (n *Node) waitReady(ctx context.Context) (api string, err error) {
	err = until(ctx, startTimeout, n.Name+" doesn't become ready", func() bool {
		metrics := n.address(metricsAddress)
		return n.ended() || metrics != "" && ready(ctx, http.DefaultClient, "http://"+metrics)
	})
	if n.ended() {
		return "", errors.New(n.Name + " ended at its start: " + n.Log())
	}
	return n.address(apiAddress), err
}

// Running returns how many jobs of a class the node works on, from its /metrics.
func (n *Node) Running(ctx context.Context, class string) (int, error) {
	if n.ended() {
		return 0, nil
	}
	body, err := get(ctx, http.DefaultClient, "http://"+n.address(metricsAddress)+"/metrics")
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(body, fmt.Sprintf("\nsoundstage_jobs_running{class=%q} ", class))
	if !found {
		return 0, nil
	}
	value, _, _ := strings.Cut(rest, "\n")
	return strconv.Atoi(value)
}

// until waits until a condition holds.
func until(ctx context.Context, limit time.Duration, problem string, holds func() bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New(problem))
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(poll):
		}
	}
	return nil
}
