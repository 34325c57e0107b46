package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The campaign is -stalled 2000 -never-readers 1000 -idle 10000.
var (
	stalledClients = flag.Int("stalled", 100, "clients of TestCrowd that send one byte of a body")
	neverReaders   = flag.Int("never-readers", 50, "clients of TestCrowd that ask for megabytes and never read")
	idleClients    = flag.Int("idle", 500, "clients of TestCrowd that keep their connection after a request")
)

// crowd is a set of connections to a server.
type crowd struct {
	t     *testing.T
	addr  string
	conns []net.Conn
}

// join opens n connections. Each sends a text, and reads a response if answered is set.
func (c *crowd) join(n int, sent string, answered bool) {
	c.t.Helper()
	for range n {
		conn, err := net.DialTimeout("tcp", c.addr, time.Minute)
		require.NoError(c.t, err)
		c.conns = append(c.conns, conn)
		if !answered {
			require.NoError(c.t, conn.(*net.TCPConn).SetReadBuffer(4096))
		}
		_, err = io.WriteString(conn, sent)
		require.NoError(c.t, err)
		if answered {
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(c.t, err)
			require.Equal(c.t, http.StatusOK, resp.StatusCode)
		}
	}
}

func (c *crowd) leave() {
	for _, conn := range c.conns {
		_ = conn.Close()
	}
}

// sizes returns the sizes of the crowd, scaled down if this process or the server may not open as many files.
func sizes(t *testing.T) (stalled, never, idle int) {
	t.Helper()
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	room, wanted := int(min(limit.Cur, 1<<20))*2/3-200, *stalledClients+*neverReaders+*idleClients
	if wanted <= room {
		return *stalledClients, *neverReaders, *idleClients
	}
	t.Logf("%d files may be open: the crowd is %d instead of %d", limit.Cur, room, wanted)
	return *stalledClients * room / wanted, *neverReaders * room / wanted, *idleClients * room / wanted
}

// use returns how many descriptors a process has, and its memory in MiB.
func use(t *testing.T, pid int) (descriptors, memory int) {
	t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	require.NoError(t, err)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	_, err = fmt.Sscan(rest, &memory)
	require.NoError(t, err)
	return len(open), memory >> 10
}

// latencies sends requests of a normal client, half of them on new connections, and returns how long they took, sorted.
func latencies(t *testing.T, url string, n int) []time.Duration {
	t.Helper()
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	took := make([]time.Duration, n)
	for i := range took {
		req, err := http.NewRequest(http.MethodGet, url+"/v1/spaces", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer sk_sandbox_platform")
		client, began := []*http.Client{benchClient, fresh}[i%2], time.Now()
		resp, err := client.Do(req)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
		took[i] = time.Since(began)
	}
	slices.Sort(took)
	return took
}

// While clients stall, never read, or idle, a normal client is served. When they leave, their descriptors are free within a minute, and
// most of their memory.
func TestCrowd(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts a server process")
	needFFmpeg(t)
	stalled, never, idle := sizes(t)
	s, _ := startServer(t, "/_soundstage/health", "none", os.Stderr, func(port string) *exec.Cmd {
		return programCommand("serve", "--log", "off", "--addr", "127.0.0.1:"+port)
	})
	pid := s.cmd.Process.Pid
	calm := latencies(t, s.url, 100)
	files, memory := use(t, pid)

	addr := strings.TrimPrefix(s.url, "http://")
	c := &crowd{t: t, addr: addr}
	defer c.leave()
	var took []time.Duration
	var normal sync.WaitGroup
	head := " HTTP/1.1\r\nHost: " + addr + "\r\nAuthorization: Bearer sk_sandbox_platform\r\n"
	normal.Go(func() { took = latencies(t, s.url, 500) })
	c.join(stalled, "POST /v1/uploads"+head+"Content-Length: 100\r\n\r\n{", false)
	c.join(never, strings.Repeat("GET /openapi.yaml"+head+"\r\n", 50), false)
	c.join(idle, "GET /_soundstage/health"+head+"\r\n", true)
	normal.Wait()
	during := latencies(t, s.url, 500)
	crowdFiles, crowdMemory := use(t, pid)
	require.Less(t, max(took[len(took)-1], during[len(during)-1]), 10*time.Second)

	c.leave()
	began := time.Now()
	require.Eventually(t, func() bool { now, _ := use(t, pid); return now <= files+8 }, time.Minute, 50*time.Millisecond)
	freed := time.Since(began)
	if stalled+never+idle >= 2000 { // fewer clients take no memory to speak of
		require.Eventually(t, func() bool { _, now := use(t, pid); return now-memory <= (crowdMemory-memory)/3 }, time.Minute, 100*time.Millisecond)
	}
	after, left := use(t, pid)
	t.Logf("%d stalled, %d never read, %d idle. p99 of a normal client: %v before, %v while they come, %v while they stay", stalled, never, idle,
		calm[99], took[len(took)*99/100], during[len(during)*99/100])
	t.Logf("descriptors: %d, %d, %d after %v. memory in MiB: %d, %d, %d after %v", files, crowdFiles, after, freed, memory, crowdMemory, left, time.Since(began))
	require.Less(t, crowdMemory-memory, 200+(stalled+never+idle)/4, "MiB: at most 256 KiB for each client")
}
