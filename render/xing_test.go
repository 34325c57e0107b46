package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// An MP3 file whose header counts all of it isn't read to its end for its duration, which is still that of its packets. Others are.
func TestMP3Duration(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	encoded := func(args ...string) []byte {
		file := film(t, "a.mp3", slices.Concat([]string{"-i", shared("conversation.wav"), "-t", "5"}, args)...)
		b, err := os.ReadFile(string(file))
		require.NoError(t, err)
		return b
	}
	stereo, mono := encoded("-ar", "44100", "-ac", "2", "-b:a", "64k"), encoded("-ar", "48000", "-ac", "1", "-q:a", "5")
	lying := slices.Clone(stereo)
	binary.BigEndian.PutUint32(lying[bytes.Index(lying, []byte("Info"))+8:], 1<<24) // frames: 121 hours
	old := append([]byte("TAG"), make([]byte, 125)...)
	for name, c := range map[string]struct {
		file    []byte
		counted bool
	}{
		"stereo":         {stereo, true},
		"mono":           {mono, true},
		"22 kHz, stereo": {encoded("-ar", "22050", "-ac", "2", "-b:a", "48k"), true},
		"8 kHz, mono":    {encoded("-ar", "8000", "-ac", "1", "-b:a", "16k"), true},
		"a title":        {encoded("-metadata", "title="+strings.Repeat("Long ", 100)), true},
		"no ID3":         {encoded("-id3v2_version", "0"), true},
		"an old tag":     {slices.Concat(mono, old), true},
		"no header":      {encoded("-write_xing", "0"), false},
		"joined":         {slices.Concat(stereo, mono), false},
		"joined, tagged": {slices.Concat(stereo, stereo, old), false},
		"cut":            {stereo[:len(stereo)-5000], false},
		"a lying header": {lying, false},
		"more at end":    {slices.Concat(stereo, make([]byte, 128)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.mp3")
			require.NoError(t, os.WriteFile(path, c.file, 0o600))
			require.Equal(t, c.counted, render.CountsAll(bytes.NewReader(c.file), int64(len(c.file))))
			info, err := render.FFmpeg{}.Probe(context.Background(), localFile(path))
			require.NoError(t, err)
			var end time.Duration
			for line := range strings.Lines(string(runFFmpeg(t, "-i", path, "-map", "0:a:0", "-c", "copy", "-f", "null", "-progress", "pipe:1", "-"))) {
				if us, ok := strings.CutPrefix(strings.TrimSpace(line), "out_time_us="); ok {
					n, err := strconv.Atoi(us)
					require.NoError(t, err)
					end = time.Duration(n) * time.Microsecond
				}
			}
			require.InDelta(t, end, info.Duration, float64(time.Microsecond)) // ffprobe rounds the length and the delay
			require.Equal(t, info.Duration, info.Audio.Duration)
			if c.counted {
				alone, err := render.FFmpeg{FFmpeg: "testdata/programs/absent"}.Probe(context.Background(), localFile(path))
				require.NoError(t, err)
				require.Equal(t, info, alone)
			}
		})
	}
}

func FuzzCountsAll(f *testing.F) {
	for _, name := range []string{"conversation.mp3", "cover.mp3", "vbr.mp3"} {
		b, err := os.ReadFile(shared(name))
		require.NoError(f, err)
		f.Add(b[:4096], int64(len(b)))
	}
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		if render.CountsAll(bytes.NewReader(b), size) && size < 10 {
			t.Fatal(size)
		}
	})
}
