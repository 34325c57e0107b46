package render_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/render"
)

// What the index says is what ffprobe says.
func TestReadIndex(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	media := []string{
		"-f", "lavfi", "-i", "testsrc=s=320x180:d=1:r=25", "-f", "lavfi", "-i", "sine=r=48000:d=1", "-f", "ffmetadata", "-i", "testdata/chapters.txt",
		"-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-map_metadata", "2",
	}
	for name, more := range map[string][]string{
		"chapters.mp4": nil, "faststart.mp4": {"-movflags", "+faststart"}, "chapters.mov": nil, "two.mov": {"-map", "1"}, "mute.mp4": {"-an"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := film(t, name, append(media[:len(media):len(media)], more...)...)
			var want []string
			for _, s := range describe(t, file).Streams {
				kind, codec, frames := s.Type, s.Codec, s.Frames
				if kind == "data" { // the titles of chapters
					kind, codec, frames = "", "", "2"
				}
				rate := s.SampleRate
				if rate == "" {
					rate = "0"
				}
				want = append(want, fmt.Sprintf("%s %s %dx%d %s Hz %s", kind, codec, s.Width, s.Height, rate, frames))
			}
			b, err := os.ReadFile(string(file))
			require.NoError(t, err)
			tracks, err := render.ReadIndex(bytes.NewReader(b), int64(len(b)))
			require.NoError(t, err)
			require.Equal(t, want, tracks)
		})
	}
}

// boxOf returns a box of an MP4 file.
func boxOf(kind string, contents ...[]byte) []byte {
	inside := bytes.Join(contents, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(inside))), kind...), inside...)
}

// A file without its end has no index, wherever it ends, and neither has one whose boxes don't fit.
func TestReadIndexIncomplete(t *testing.T) {
	t.Parallel()
	handler := boxOf("hdlr", make([]byte, 8), []byte("vide"), make([]byte, 12))
	whole := bytes.Join([][]byte{boxOf("ftyp", []byte("isom")), boxOf("mdat", make([]byte, 20)), boxOf("moov", boxOf("trak", boxOf("mdia", handler)))}, nil)
	tracks, err := render.ReadIndex(bytes.NewReader(whole), int64(len(whole)))
	require.NoError(t, err)
	require.Equal(t, []string{"video  0x0 0 Hz 0"}, tracks)
	for n := range whole {
		_, err := render.ReadIndex(bytes.NewReader(whole[:n]), int64(n))
		require.ErrorIs(t, err, render.ErrNoIndex, n)
	}
	for name, b := range map[string][]byte{
		"no tracks":         boxOf("moov"),
		"a length of 1":     append([]byte{0, 0, 0, 1}, "moov\x00\x00\x00\x00\x00\x00\x00\x01"...),
		"a length of 2":     append([]byte{0, 0, 0, 2}, "moov"...),
		"a length too long": append([]byte{0, 0, 0, 1}, "moov\xff\xff\xff\xff\xff\xff\xff\xff"...),
		"text":              []byte("This is not a film, but a text of some length."),
	} {
		_, err := render.ReadIndex(bytes.NewReader(b), int64(len(b)))
		require.ErrorIs(t, err, render.ErrNoIndex, name)
	}
}

func FuzzReadIndex(f *testing.F) {
	for _, name := range []string{"conversation.mp4", "videoonly.mp4", "truncated.mp4"} {
		b, err := os.ReadFile(shared(name))
		require.NoError(f, err)
		if at := bytes.Index(b, []byte("moov")); at > 4 {
			b = b[at-4:]
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		tracks, err := render.ReadIndex(bytes.NewReader(b), int64(len(b)))
		if (err == nil) != (len(tracks) > 0) {
			t.Fatal(tracks, err)
		}
	})
}
