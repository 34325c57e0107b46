package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
)

// With --overlap, the table marks second turns, and RTTM has segments at the same time; without it, there are none.
func TestDiarizeOverlap(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	needFFmpeg(t)
	wav := filepath.Join(t.TempDir(), "debate.wav")
	require.NoError(t, os.WriteFile(wav, interrupted(t), 0o600))
	for _, overlap := range []bool{false, true} {
		args := []string{"diarize", wav}
		if overlap {
			args = append(args, "--overlap")
		}
		code, table, errOut := cli(t, args...)
		require.Zero(t, code, errOut)
		require.Equal(t, overlap, strings.Contains(table, "+ Speaker 0"), table)
		code, rttm, errOut := cli(t, append(args, "--rttm")...)
		require.Zero(t, code, errOut)
		ends, again := 0.0, 0
		for line := range strings.Lines(rttm) {
			var start, length float64
			_, err := fmt.Sscanf(line, "SPEAKER debate 1 %g %g", &start, &length)
			require.NoError(t, err, line)
			if start < ends-0.001 {
				again++
			}
			ends = max(ends, start+length)
		}
		require.Equal(t, overlap, again > 0, rttm)
	}
}

// interrupted returns a WAV file of the conversation twice, in which each speaker begins 1.5 s earlier than they do.
func interrupted(t *testing.T) []byte {
	const rate, header = 16000, 44
	wav, err := os.ReadFile(testdata("conversation.wav"))
	require.NoError(t, err)
	out := append([]byte{}, wav[:header]...)
	cuts := []int{0, 54 * rate / 10, 125 * rate / 10, 165 * rate / 10, 212 * rate / 10, (len(wav) - header) / 2}
	for k := range 2 * (len(cuts) - 1) {
		k %= len(cuts) - 1
		at := max(header, len(out)-3*rate)
		for i := cuts[k]; i < cuts[k+1]; i, at = i+1, at+2 {
			if at == len(out) {
				out = append(out, 0, 0)
			}
			sum := int16(binary.LittleEndian.Uint16(out[at:])) + int16(binary.LittleEndian.Uint16(wav[header+2*i:]))/2
			binary.LittleEndian.PutUint16(out[at:], uint16(sum))
		}
	}
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	binary.LittleEndian.PutUint32(out[40:], uint32(len(out)-header))
	return out
}
