package media_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// Counted reports the bytes so far after each read, and closes the reader that it wraps.
func TestCounted(t *testing.T) {
	t.Parallel()
	var seen []int64
	file := &closed{Reader: strings.NewReader("seven b")}
	r := media.Counted(file, func(n int64) { seen = append(seen, n) })
	b := make([]byte, 4)
	for range 3 {
		_, _ = r.Read(b)
	}
	require.Equal(t, []int64{4, 7, 7}, seen)
	require.NoError(t, r.Close())
	require.True(t, file.done)
}

type closed struct {
	io.Reader
	done bool
}

func (c *closed) Close() error {
	c.done = true
	return nil
}
