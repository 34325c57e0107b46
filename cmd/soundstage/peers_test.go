//go:build peers && unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/turns"
)

// Emulators that `go install` can build, in the versions that were measured.
const (
	fakeGCS    = "github.com/fsouza/fake-gcs-server@v1.56.1"
	stripeMock = "github.com/stripe/stripe-mock@v0.203.0"
)

// peer is a server that TestPeers measures.
type peer struct {
	name, bin    string
	path, secret string // for a simple GET
	args         func(port string) []string
}

// measurements are a peer's figures.
type measurements struct {
	cold, cpu        []time.Duration // for each start, until the first response
	ready, each      []float64
	loaded, answered float64
}

// TestPeers compares the sandbox with two similar emulators and with plain net/http, in turns: cold starts, CPU time until the first
// response and for each simple GET, and memory. It needs -tags peers, because it installs the emulators from the module proxy and needs
// an idle machine.
func TestPeers(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "objects"), 0o755))
	peers := []peer{
		{"soundstage serve", builtProgram(t), "/v1/spaces", "sk_sandbox_platform",
			func(port string) []string { return []string{"serve", "--log", "off", "--addr", "127.0.0.1:" + port} }},
		{fakeGCS, install(t, folder, fakeGCS), "/storage/v1/b", "none", func(port string) []string {
			return []string{"-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", port, "-data", filepath.Join(folder, "objects")}
		}},
		{stripeMock, install(t, folder, stripeMock), "/v1/charges/ch_123", "sk_test_123",
			func(port string) []string { return []string{"-http-addr", "127.0.0.1:" + port} }},
		{"net/http, one answer", buildProgram(t, "./testdata/floor"), "/", "none", func(port string) []string { return []string{"127.0.0.1:" + port} }},
	}
	figures := make([]measurements, len(peers))
	const starts, loads = 10, 3
	var ways []turns.Way
	for i, p := range peers {
		m := &figures[i]
		ways = append(ways, turns.Way{Name: p.name, Cost: func() float64 {
			s, cold := startServer(t, p.path, p.secret, nil, func(port string) *exec.Cmd {
				return exec.Command(p.bin, p.args(port)...)
			})
			m.cold, m.cpu, m.ready = append(m.cold, cold), append(m.cpu, s.cpuTime()), append(m.ready, s.status("VmRSS")/1024)
			if len(m.cold) > starts-loads {
				each, perSecond := s.measureLoad(p.path, p.secret)
				m.each, m.answered, m.loaded = append(m.each, each), max(m.answered, perSecond), max(m.loaded, s.status("VmRSS")/1024)
			}
			require.NoError(t, s.cmd.Process.Kill())
			_ = s.cmd.Wait()
			return cold.Seconds()
		}})
	}
	compared := turns.Compare(ways...).Rounds(starts)
	table := "| server | program | cold start: median, best; ours relative to it | CPU until then | memory then, after 40,000 requests | requests/s | CPU of a simple GET: best, worst of 3 |\n|---|---|---|---|---|---|---|\n"
	for i, p := range peers {
		info, err := os.Stat(p.bin)
		require.NoError(t, err)
		m := figures[i]
		slices.Sort(m.ready)
		table += fmt.Sprintf("| %s | %.1f MB | %.0f, %.0f ms; %s | %.0f ms | %.0f, %.0f MiB | %.0f | %.0f, %.0f µs |\n", p.name, float64(info.Size())/1e6,
			median(m.cold), float64(slices.Min(m.cold).Microseconds())/1000, compared.Ratio(peers[0].name, p.name), median(m.cpu), m.ready[len(m.ready)/2], m.loaded, m.answered,
			slices.Min(m.each), slices.Max(m.each))
	}
	t.Log("\n" + table)
}

// install installs a module's program and returns its path.
func install(t *testing.T, folder, module string) string {
	t.Helper()
	cmd := exec.Command("go", "install", module)
	cmd.Env = append(os.Environ(), "GOBIN="+folder, "GOWORK=off", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil && os.Getenv("CI") != "true" {
		t.Skipf("%s can't be installed: %v\n%s", module, err, out)
	} else {
		require.NoError(t, err, "%s", out)
	}
	name, _, _ := strings.Cut(module[strings.LastIndex(module, "/")+1:], "@")
	return filepath.Join(folder, name)
}
