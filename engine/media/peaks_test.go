package media_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/media"
)

// Peaks are the largest amplitudes of equal parts, in either direction. There are never more than wanted, and none of no sound.
func TestPeaks(t *testing.T) {
	t.Parallel()
	const part = 320
	sound := make([]int16, 4*part)
	sound[10], sound[part+5], sound[2*part+1], sound[4*part-1] = 16384, -32768, 8192, -8192
	var pcm bytes.Buffer
	require.NoError(t, binary.Write(&pcm, binary.LittleEndian, sound))
	for n, want := range map[int][]float64{1: {1}, 2: {1, 0.25}, 4: {0.5, 1, 0.25, 0.25}, 100: {0.5, 1, 0.25, 0.25}, 0: {}, -1: {}} {
		got, err := media.Peaks(bytes.NewReader(pcm.Bytes()), n)
		require.NoError(t, err)
		require.Equal(t, want, got, n)
	}
	got, err := media.Peaks(iotest.OneByteReader(bytes.NewReader(pcm.Bytes()[:2*part+12])), 2)
	require.NoError(t, err)
	require.Equal(t, []float64{0.5, 1}, got, "the last part is shorter")
	got, err = media.Peaks(bytes.NewReader(nil), 5)
	require.NoError(t, err)
	require.Empty(t, got)
	broken := errors.New("broken")
	_, err = media.Peaks(io.MultiReader(bytes.NewReader(pcm.Bytes()), iotest.ErrReader(broken)), 5)
	require.ErrorIs(t, err, broken)
}
