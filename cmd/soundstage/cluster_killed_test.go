package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	demo "github.com/soundstage-dev/soundstage/internal/cluster"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// runCluster starts a cluster, says when it is ready, and never stops it.
func runCluster(program string) int {
	l, err := demo.Start(context.Background(), demo.Config{Program: program})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ready at", l.URL)
	select {}
}

// A program with a cluster, such as the demo, that is killed with kill -9 leaves no process and no file.
func TestKilledClusterLeavesNothing(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("processes are found in /proc")
	}
	temp, err := os.MkdirTemp("", "cluster")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	require.NoError(t, os.Chmod(temp, 0o755)) // PostgreSQL runs as another user if this is root
	program := filepath.Join(t.TempDir(), "soundstage")
	executable.Write(t, program, "#!/bin/sh\nSOUNDSTAGE_TEST_MAIN=1 exec "+os.Args[0]+" \"$@\"\n")
	cmd := exec.Command(os.Args[0], program)
	cmd.Env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=cluster", "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	if strings.Contains(line, ".ci/setup test") && os.Getenv("CI") != "true" {
		t.Skip(line)
	}
	require.Contains(t, line, "ready at http://")
	require.Greater(t, len(processesIn(temp)), 7, "this program, four nodes, the guard, the S3 server, and PostgreSQL")
	killed := time.Now()
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	eventually(t, "processes", func() (string, bool) {
		left := processesIn(temp)
		return strings.Join(left, "\n"), len(left) == 0 || time.Since(killed) > time.Minute
	})
	require.Empty(t, processesIn(temp))
	t.Logf("nothing is left after %v", time.Since(killed).Round(time.Millisecond))
	files, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, files)
}

// processesIn returns the command lines of the processes whose folder for temporary files is a folder, or is in it.
func processesIn(temp string) (list []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range all {
		env, _ := os.ReadFile(path)
		if strings.Contains(string(env), "TMPDIR="+temp) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			list = append(list, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return list
}
