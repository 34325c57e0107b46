package emulator

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Calls without a slot read nothing and wait until their context ends.
func TestLimitedDiarizer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := limitedDiarizer{slots: make(chan struct{}, 1)}
		sound, end := io.Pipe()
		first := make(chan error, 1)
		go func() {
			_, err := d.Diarize(t.Context(), sound, transcript.DiarizeOptions{})
			first <- err
		}()
		synctest.Wait()

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		unread := readerFunc(func([]byte) (int, error) { return 0, errors.New("read") })
		_, err := d.Diarize(ctx, unread, transcript.DiarizeOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)

		require.NoError(t, end.Close())
		require.NoError(t, <-first)
		_, err = d.Diarize(t.Context(), unread, transcript.DiarizeOptions{})
		require.ErrorContains(t, err, "read")
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
