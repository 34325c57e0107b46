package command_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/command"
	"github.com/soundstage-dev/soundstage/internal/executable"
)

// A program that is being installed is tried again: a file that is open for writing can't be started.
func TestProgramBusy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "program")
	executable.Write(t, path, "#!/bin/sh\necho '{\"text\":\"a\"}'\n")
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	require.ErrorIs(t, exec.Command(path).Run(), syscall.ETXTBSY)
	tr := open(t, func(c *command.Config) { c.Program = path })
	_, err = tr.Transcribe(t.Context(), request())
	var e *engine.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, engine.CodeUnavailable, e.Code)
	require.Equal(t, "The transcriber's program could not be started.", e.Msg)
	require.Equal(t, "It is open for writing. Wait until it is installed.", e.Hint)
	require.True(t, e.Retryable)
}
