package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// samples returns PCM of the given samples.
func samples(all ...int16) []byte {
	var b []byte
	for _, s := range all {
		b = binary.LittleEndian.AppendUint16(b, uint16(s))
	}
	return b
}

// A fine peak is the largest amplitude of 20 ms, whether above or below zero; the last part may be shorter.
func TestFinePeaks(t *testing.T) {
	t.Parallel()
	var pcm []byte
	pcm = append(pcm, samples(make([]int16, peakSamples-1)...)...)
	pcm = append(pcm, samples(-32768)...) // the end of the first part
	pcm = append(pcm, samples(100, -200, 50)...)
	fine, err := finePeaks(iotest.OneByteReader(bytes.NewReader(pcm)))
	require.NoError(t, err)
	require.Equal(t, []uint16{32768, 200}, fine)

	fine, err = finePeaks(bytes.NewReader(nil))
	require.NoError(t, err)
	require.Empty(t, fine)

	broken := errors.New("the disk is gone")
	_, err = finePeaks(io.MultiReader(bytes.NewReader(samples(1, 2)), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
}

// Coarse peaks have each fine peak in exactly one part, and there are never more of them than fine ones.
func TestCoarsePeaks(t *testing.T) {
	t.Parallel()
	fine := []uint16{16384, 0, 32768, 0, 0, 8192, 3277}
	require.Equal(t, []float64{0.5, 1, 0.25}, coarsePeaks(fine, 3))
	require.Equal(t, []float64{1}, coarsePeaks(fine, 1))
	require.Len(t, coarsePeaks(fine, 100), len(fine))
	require.Empty(t, coarsePeaks(nil, 10))
}
