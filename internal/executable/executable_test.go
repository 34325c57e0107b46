//go:build unix

package executable_test

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// A program can be started at once, while other tests write and start theirs.
func TestWrite(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 20 {
				path := filepath.Join(folder, strconv.Itoa(i)+"-"+strconv.Itoa(j))
				executable.Write(t, path, "#!/bin/sh\nexit 0\n")
				if err := exec.Command(path).Run(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// A port can be listened on at once, while other tests start programs, and is none that the system gives to others.
func TestPort(t *testing.T) {
	t.Parallel()
	var others sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for range 4 {
		others.Go(func() {
			for ctx.Err() == nil {
				_ = exec.CommandContext(ctx, "true").Run()
			}
		})
	}
	defer others.Wait()
	defer stop()
	for range 200 {
		port := executable.Port(t)
		listener, err := net.Listen("tcp", "127.0.0.1:"+port)
		require.NoError(t, err)
		require.NoError(t, listener.Close())
		number, err := strconv.Atoi(port)
		require.NoError(t, err)
		require.Greater(t, number, 1024)
		require.Less(t, number, 32768)
	}
}
