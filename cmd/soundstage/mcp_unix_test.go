//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// When an assistant cancels an addition, or disappears while it runs, the transcriber's process ends, and nothing of the recording stays.
func TestMCPCancelsAddition(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it decodes media")
	needFFmpeg(t)
	for _, disappears := range []bool{false, true} {
		t.Run(fmt.Sprint(disappears), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			data, started := filepath.Join(dir, "lib"), filepath.Join(dir, "started")
			copyMedia(t, "tone.wav", filepath.Join(dir, "media", "tone.wav"))
			c := startMCP(t, nil, data, "--create", "--root", filepath.Join(dir, "media"), "--transcriber", "command", "--transcriber-command", "sh",
				"--transcriber-command", "-c", "--transcriber-command", "echo $$ >"+started+"; mv "+started+" "+started+".pid; exec sleep 600 # {wav}")
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() {
				_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "add_recording", Arguments: map[string]any{"path": "tone.wav"}})
				failed <- err
			}()
			var pid int
			require.EventuallyWithT(t, func(t *assert.CollectT) {
				text, err := os.ReadFile(started + ".pid")
				require.NoError(t, err)
				pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
				require.NoError(t, err)
			}, time.Minute, 20*time.Millisecond)
			if disappears {
				c.hangUp()
			} else {
				cancel()
			}
			require.Error(t, <-failed)
			cancel()
			require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, time.Minute, 20*time.Millisecond, "the transcriber still runs")
			if !disappears {
				require.Empty(t, call[struct{ Recordings []assistantRecording }](c, "list_recordings", nil).Recordings)
				c.hangUp()
			}
			<-c.ended
			require.EventuallyWithT(t, func(t *assert.CollectT) {
				require.NoError(t, withLibrary(context.Background(), data, func(ctx context.Context, l *library) error {
					list, err := l.recordings(ctx, nil, true)
					require.Empty(t, list)
					return err
				}))
			}, time.Minute, 50*time.Millisecond)
		})
	}
}
