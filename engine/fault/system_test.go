package fault_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// Errors of the running system are distinguished.
func TestSystemErrors(t *testing.T) {
	t.Parallel()
	var listen net.ListenConfig
	l, err := listen.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, inUse := listen.Listen(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, l.Close())
	var dialer net.Dialer
	_, refused := dialer.DialContext(t.Context(), "tcp", l.Addr().String())
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, broken := io.WriteString(w, "nobody reads")
	require.NoError(t, w.Close())
	full := fmt.Errorf("a: %w", &os.PathError{Op: "write", Path: "file", Err: syscall.ENOSPC})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, below := os.ReadDir(file)

	for name, is := range map[string]struct {
		is  func(error) bool
		err error
	}{
		"address in use": {fault.AddressInUse, inUse}, "refused": {fault.Refused, refused}, "broken": {fault.BrokenPipe, broken}, "full": {fault.NoSpace, full},
		"read-only": {fault.ReadOnly, syscall.EROFS}, "no folder": {fault.NotFolder, syscall.ENOTDIR},
	} {
		require.True(t, is.is(is.err), "%s: %v", name, is.err)
		require.False(t, is.is(nil), name)
		for _, other := range []error{io.EOF, os.ErrNotExist, inUse, refused, broken, full, below} {
			require.Equal(t, other == is.err || name == "no folder" && other == below, is.is(other), "%s: %v", name, other) //nolint:errorlint // the same error
		}
	}
}

// Reason leaves out what a message has already.
func TestReason(t *testing.T) {
	t.Parallel()
	_, err := os.ReadFile(filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
	reason := fault.Reason(fmt.Errorf("config: %w", err))
	require.NotEmpty(t, reason)
	require.NotContains(t, reason, "none")
	require.NotContains(t, reason, ".")
	require.Equal(t, "EOF", fault.Reason(io.EOF))
}
