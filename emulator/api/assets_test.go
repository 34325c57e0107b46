package api

import (
	"bytes"
	"context"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// counted counts how many readers are open.
type counted struct {
	io.Reader
	open *int
}

func (c counted) Close() error {
	*c.open--
	return nil
}

// An asset can be read from anywhere, and has at most one open blob.
func TestAsset(t *testing.T) {
	t.Parallel()
	content, open := []byte("0123456789abcdef"), 0
	a := &asset{ctx: t.Context(), size: int64(len(content)), open: func(_ context.Context, off int64) (io.ReadCloser, error) {
		open++
		require.Equal(t, 1, open)
		return counted{bytes.NewReader(content[off:]), &open}, nil
	}}
	require.NoError(t, iotest.TestReader(a, content))
	_, err := a.Seek(-1, io.SeekStart)
	require.Error(t, err)
	a.close()
	require.Zero(t, open)
	require.NoError(t, a.err)
}
