package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// The program works without a network, and never tries to reach one. A whole flow (serve, upload, transcribe, webhook, render) and an
// import of a web page run with only a loopback interface, and the kernel counts no packets without a route. The last two cases show
// that the counter works: a connection to another host and a DNS query are counted.
func TestNoNetwork(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	needTools(t, "curl")
	flow, err := flowProgram()
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		name string
		args []string
		sent bool
	}{
		{"flow", []string{"exec", "--allow-private-urls", "--", flow, testdata("conversation.mp4"), out}, false},
		{"demo", []string{"demo", "-o", out}, false},
		{"page", []string{"exec", "--", "sh", "-c", `curl -fsS -H "Authorization: Bearer $SOUNDSTAGE_SECRET" "$SOUNDSTAGE_URL/v1/imports" \
			-d '{"url":"https://www.youtube.com/watch?v=abcdefghijk"}'`}, false},
		{"connection", []string{"transcribe", "http://8.8.8.8/a.wav"}, true},
		{"name", []string{"transcribe", "https://media.example.org/a.wav"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := programCommand(c.args...)
			cmd.Env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=offline", "HTTP_PROXY=", "HTTPS_PROXY=", "http_proxy=", "https_proxy=")
			cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
			if os.Geteuid() != 0 {
				cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
				cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
				cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
			}
			var said, wrong bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &wrong
			err := cmd.Run()
			if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
				if os.Getenv("CI") == "true" {
					t.Fatalf("can't create a network namespace: %v", err)
				}
				t.Skipf("can't create a network namespace: %v", err)
			}
			lines := strings.Split(strings.TrimSpace(wrong.String()), "\n")
			var seen offline
			require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &seen), "%s%s", &said, &wrong)
			require.Equal(t, []string{"lo"}, seen.Interfaces)
			require.Equal(t, c.sent, err != nil, "%s%s", &said, &wrong)
			require.Equal(t, c.sent, seen.NoRoute > 0, "%d attempts to reach a network: %s%s", seen.NoRoute, &said, &wrong)
		})
	}
}

// offline is what a process observed in a network namespace without a network.
type offline struct {
	Interfaces []string
	NoRoute    int // packets that the kernel had no route for
}

// runOffline runs a command line in a network namespace with only loopback, and prints what it observed on standard error, as JSON.
func runOffline(run func() int) int {
	seen, err := offline{}, loopbackUp()
	code := 1
	if err == nil {
		code = run()
		seen, err = observed()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_ = json.NewEncoder(os.Stderr).Encode(seen)
	return code
}

// loopbackUp enables the loopback interface of a new network namespace.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// observed returns the active interfaces, and the kernel's counts of packets without a route: OutNoRoutes of IPv4 and IPv6.
func observed() (offline, error) {
	var o offline
	all, err := net.Interfaces()
	if err != nil {
		return o, err
	}
	for _, i := range all {
		if i.Flags&net.FlagUp != 0 {
			o.Interfaces = append(o.Interfaces, i.Name)
		}
	}
	four, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		return o, err
	}
	var names []string
	for _, line := range strings.Split(string(four), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] != "Ip:" {
			continue
		}
		for i, name := range names {
			if name == "OutNoRoutes" {
				n, _ := strconv.Atoi(f[i])
				o.NoRoute += n
			}
		}
		names = f
	}
	six, err := os.ReadFile("/proc/self/net/snmp6")
	if err != nil && !errors.Is(err, os.ErrNotExist) { // the file is missing without IPv6
		return o, err
	}
	for _, line := range strings.Split(string(six), "\n") {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "Ip6OutNoRoutes" {
			n, _ := strconv.Atoi(f[1])
			o.NoRoute += n
		}
	}
	return o, nil
}
