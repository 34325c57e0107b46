//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/executable"
)

// The sandbox checks ffmpeg's version before it reports that it is ready. If the system kills the check, the sandbox tries again, and never
// stops because of it.
func TestKilledVersionCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kill string // condition
		want int    // version checks
	}{
		"killed twice":  {"[ $(ls -d $0.asked.* | wc -l) -le 2 ]", 3},
		"killed always": {"true", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, program := range []string{"ffmpeg", "ffprobe"} {
				script := "#!/bin/sh\n"
				if program == "ffmpeg" {
					script += "mkdir $0.asked.$$\nif " + c.kill + "; then kill -KILL $$; fi\n"
				}
				executable.Write(t, filepath.Join(dir, program), script+"echo "+program+" version 6.1\n")
			}
			p := serveProcess(t, []string{"PATH=" + dir + ":" + os.Getenv("PATH")})
			asked, err := filepath.Glob(filepath.Join(dir, "ffmpeg.asked.*")) // folders, because the program may not write files
			require.NoError(t, err)
			require.Len(t, asked, c.want, "the check must come before the greeting")
			time.Sleep(50 * time.Millisecond)
			status, _ := p.call("GET", "/v1/spaces", "sk_sandbox_core", nil)
			require.Equal(t, 200, status)
			require.NoError(t, p.signal(syscall.SIGTERM), p.stderr)
		})
	}
}
