package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// --max-duration refuses longer media with an error that names the flag. It must not be negative.
func TestMaxDuration(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	const media = "../../testdata/conversation.wav"
	code, _, errOut := cli(t, "transcribe", media, "--max-duration", "2s")
	require.Equal(t, 6, code, errOut)
	require.Contains(t, errOut, "The media must be at most 2s long.\n  Split it into shorter parts, or raise the limit with --max-duration")
	code, out, errOut := cli(t, "transcribe", media, "--max-duration", "1h")
	require.Zero(t, code, errOut)
	require.NotEmpty(t, out)
	for _, command := range [][]string{{"transcribe", media}, {"serve"}, {"diarize", media}, {"render", media, "-o", "clip.mp4"}} {
		code, _, errOut = cli(t, append(command, "--max-duration", "-1s")...)
		require.Equal(t, 2, code, errOut)
		require.Contains(t, errOut, "--max-duration must not be negative (got -1s).")
	}
}

// render and diarize refuse media above the limits before they decode it.
func TestLimitsOfCommands(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	slow := filepath.Join(t.TempDir(), "slow.wav")
	require.NoError(t, os.WriteFile(slow, wavOfRate(1), 0o600))
	clip := filepath.Join(t.TempDir(), "clip.mp4")
	for _, command := range [][]string{{"diarize"}, {"render", "-o", clip}} {
		code, _, errOut := cli(t, append(command, "../../testdata/conversation.wav", "--max-duration", "2s")...)
		require.Equal(t, 6, code, errOut)
		require.Contains(t, errOut, "The media must be at most 2s long.\n  Split it into shorter parts, or raise the limit with --max-duration")
		code, _, errOut = cli(t, append(command, slow)...)
		require.Equal(t, 6, code, errOut)
		require.Contains(t, errOut, "The sample rate of the audio must be between 4000 and 384000 Hz (got 1).")
	}
	require.NoFileExists(t, clip)
}

// render and diarize stop at the limit, whatever the file claims.
func TestLimitsOfLyingFiles(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	lying := filepath.Join(t.TempDir(), "lying.flac")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=r=16000:d=10", lying).CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(lying)
	require.NoError(t, err)
	b[21] &= 0xF0 // the highest 4 of the 36 bits of STREAMINFO's number of samples
	binary.BigEndian.PutUint32(b[22:], 16_000)
	require.NoError(t, os.WriteFile(lying, b, 0o600))
	clip := filepath.Join(t.TempDir(), "clip.mp4")
	for _, command := range [][]string{{"diarize", lying}, {"render", lying, "-o", clip}} {
		code, _, errOut := cli(t, append(command, "--max-duration", "2s")...)
		require.Equal(t, 6, code, errOut)
		require.Contains(t, errOut, "The media must be at most 2s long.")
	}
	require.NoFileExists(t, clip)
}

// wavOfRate returns a WAV file of 8-bit mono with 100,000 frames.
func wavOfRate(rate uint32) []byte {
	const frames = 100_000
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 36+frames)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = append(b, 1, 0, 1, 0) // PCM, mono
	b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, rate), rate)
	b = append(b, 1, 0, 8, 0) // 1 byte per frame, 8 bits
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), frames)
	return append(b, bytes.Repeat([]byte{128}, frames)...)
}
