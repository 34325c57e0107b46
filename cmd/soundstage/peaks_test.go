package main

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stereo writes a WAV file of 10,000 moments at 8 kHz, with different channels, and returns its samples.
func stereo(t *testing.T, path string) []int16 {
	t.Helper()
	samples := make([]int16, 20_000)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(36+2*len(samples)))
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint32(b, 1|2<<16)
	b = binary.LittleEndian.AppendUint32(b, 8000)
	b = binary.LittleEndian.AppendUint32(b, 32000)
	b = binary.LittleEndian.AppendUint32(b, 4|16<<16)
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(2*len(samples)))
	for i := range samples {
		samples[i] = int16(i * 7919 >> (i % 2 * 4))
		b = binary.LittleEndian.AppendUint16(b, uint16(samples[i]))
	}
	require.NoError(t, os.WriteFile(path, b, 0o600))
	return samples
}

// The command writes JSON and binary waveforms of what the file has: at its rate, mixed or per channel.
func TestPeaks(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.wav"), filepath.Join(dir, "out.json")
	samples := stereo(t, in)
	code, stdout, errOut := cli(t, "peaks", in, "-o", out, "--samples-per-pixel", "3000", "--split-channels")
	require.Zero(t, code, errOut)
	require.Empty(t, stdout+errOut)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	var got struct {
		Channels, Bits, Length int
		Rate                   int `json:"sample_rate"`
		Pixel                  int `json:"samples_per_pixel"`
		Data                   []int
	}
	require.NoError(t, json.Unmarshal(b, &got))
	require.Equal(t, []int{2, 16, 4, 8000, 3000}, []int{got.Channels, got.Bits, got.Length, got.Rate, got.Pixel})
	for pixel := range 4 {
		for channel := range 2 {
			low, high := 32767, -32768
			for m := pixel * 3000; m < min(pixel*3000+3000, 10_000); m++ {
				low, high = min(low, int(samples[2*m+channel])), max(high, int(samples[2*m+channel]))
			}
			require.Equal(t, []int{low, high}, got.Data[4*pixel+2*channel:][:2])
		}
	}

	dat := filepath.Join(dir, "out.dat")
	code, _, errOut = cli(t, "peaks", in, "-o", dat, "--pixels-per-second", "3", "--bits", "8")
	require.Zero(t, code, errOut)
	b, err = os.ReadFile(dat)
	require.NoError(t, err)
	var header [6]uint32
	for i := range header {
		header[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	require.Equal(t, [6]uint32{2, 1, 8000, 2666, 4, 1}, header)
	require.Len(t, b, 24+4*2)
	info, err := os.Stat(dat)
	require.NoError(t, err)
	require.EqualValues(t, 0o644, info.Mode().Perm())

	code, _, errOut = cli(t, "peaks", testdata("conversation.mp4"), "-o", dat)
	require.Zero(t, code, errOut)
	b, err = os.ReadFile(dat)
	require.NoError(t, err)
	require.EqualValues(t, 256, binary.LittleEndian.Uint32(b[12:]), "the default")
	require.EqualValues(t, (len(b)-24)/4, binary.LittleEndian.Uint32(b[16:]))
}

// Wrong flags and unusable media have their messages and exit codes, and leave no file.
func TestPeaksErrors(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := t.TempDir()
	lying := filepath.Join(dir, "lying.flac")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=r=16000:d=10", lying).CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(lying)
	require.NoError(t, err)
	b[21] &= 0xF0
	binary.BigEndian.PutUint32(b[22:], 16_000)
	require.NoError(t, os.WriteFile(lying, b, 0o600))
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"TALK", 2, "-o is required"},
		{"TALK -o DIR/a.png", 2, "not a format of waveforms"},
		{"TALK -o DIR/a.dat --bits 24", 2, "--bits must be 8 or 16 (got 24)"},
		{"TALK -o DIR/a.dat --samples-per-pixel 1", 2, "2 to 16777216 samples per pixel (got 1)"},
		{"TALK -o DIR/a.dat --samples-per-pixel -1", 2, "must be greater than zero"},
		{"TALK -o DIR/a.dat --pixels-per-second 99999", 2, "samples per pixel (got 1)"},
		{"TALK -o DIR/a.dat --samples-per-pixel 5 --pixels-per-second 5", 2, "contradict"},
		{"TALK -o DIR/a.dat --max-duration -1s", 2, "must not be negative"},
		{"TALK -o DIR/no/such/a.dat", 5, "can't be written"},
		{"DIR/none.wav -o DIR/a.dat", 3, "none.wav"},
		{"TESTDATA/videoonly.mp4 -o DIR/a.dat", 6, "no audio stream"},
		{"TESTDATA/notmedia.wav -o DIR/a.dat", 6, "supported format"},
		{"TALK -o DIR/a.dat --max-duration 2s", 6, "at most 2s long"},
		{"DIR/lying.flac -o DIR/a.dat --max-duration 2s", 6, "at most 2s long"},
	} {
		args := strings.Fields(strings.NewReplacer("TALK", testdata("conversation.wav"), "TESTDATA", testdata(""), "DIR", dir).Replace(c.args))
		code, _, errOut := cli(t, append([]string{"peaks"}, args...)...)
		require.Equal(t, c.code, code, "%s: %s", c.args, errOut)
		require.Contains(t, errOut, c.says, c.args)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1, "no output and no temporary file is left")
	same := filepath.Join(dir, "same.json")
	require.NoError(t, os.WriteFile(same, b, 0o600))
	code, _, errOut := cli(t, "peaks", same, "-o", same)
	require.Equal(t, 2, code)
	require.Contains(t, errOut, "would overwrite its input")
}
