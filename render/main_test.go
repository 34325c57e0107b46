package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// TestMain skips the examples that need ffmpeg if it is missing, as needFFmpeg does for tests.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := (render.FFmpeg{}).Check(context.Background()); err != nil && os.Getenv("CI") != "true" {
		_ = flag.Set("test.skip", "^ExampleFFmpeg_(Probe|Decode|Inspect|Render|Poster|Loudest)$")
	}
	os.Exit(m.Run())
}

// renderer is what most tests render with. Like programs that make several clips of a file, it asks ffprobe once about each file.
var renderer = render.FFmpeg{Threads: 1, Known: new(render.KnownMedia)}

// needFFmpeg skips a test if ffmpeg is missing, but fails it in CI.
func needFFmpeg(tb testing.TB) {
	tb.Helper()
	if err := (render.FFmpeg{}).Check(context.Background()); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatal(err)
		}
		tb.Skip(err)
	}
}

// shared returns the path of a file in the module's testdata.
func shared(name string) string { return filepath.Join("..", "testdata", name) }

// localFile is an engine.LocalSource.
type localFile string

func (f localFile) Path() (string, error) { return string(f), nil }

func (f localFile) Size() int64 {
	info, err := os.Stat(string(f))
	if err != nil {
		return 0
	}
	return info.Size()
}

func (f localFile) Open(_ context.Context, off, _ int64) (io.ReadCloser, error) {
	file, err := os.Open(string(f))
	if err != nil {
		return nil, err
	}
	_, err = file.Seek(off, io.SeekStart)
	return file, err
}

// source is an engine.Source without a file: open returns its bytes.
type source struct {
	size int64
	open func() (io.Reader, error)
}

func (s source) Size() int64 { return s.size }

func (s source) Open(context.Context, int64, int64) (io.ReadCloser, error) {
	r, err := s.open()
	return io.NopCloser(r), err
}

// inMemory returns a source for bytes.
func inMemory(b []byte) source {
	return source{int64(len(b)), func() (io.Reader, error) { return bytes.NewReader(b), nil }}
}

// wav returns a WAV header for dataSize bytes of 16-bit samples.
func wav(rate, channels int, dataSize uint32) []byte {
	var b bytes.Buffer
	b.WriteString("RIFF")
	_ = binary.Write(&b, binary.LittleEndian, dataSize+36)
	b.WriteString("WAVEfmt ")
	_ = binary.Write(&b, binary.LittleEndian, []uint32{16, 1 | uint32(channels)<<16, uint32(rate), uint32(rate * channels * 2), uint32(channels*2) | 16<<16})
	b.WriteString("data")
	_ = binary.Write(&b, binary.LittleEndian, dataSize)
	return b.Bytes()
}

// sine returns interleaved 16-bit samples of a tone, equal in each channel.
func sine(rate, channels, samples int, frequency, amplitude float64) []byte {
	b := make([]byte, 0, samples*channels*2)
	for i := range samples {
		v := int16(math.Round(amplitude * math.Sin(2*math.Pi*frequency*float64(i)/float64(rate))))
		for range channels {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
	}
	return b
}

// temporary writes a file into the test's temporary folder.
func temporary(tb testing.TB, name string, parts ...[]byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	require.NoError(tb, os.WriteFile(path, bytes.Join(parts, nil), 0o600))
	return path
}

// decode returns all samples of a source.
func decode(tb testing.TB, f render.FFmpeg, src engine.Source) []int16 {
	tb.Helper()
	stream, err := f.Decode(context.Background(), src)
	require.NoError(tb, err)
	b, err := io.ReadAll(stream)
	require.NoError(tb, err)
	require.NoError(tb, stream.Close())
	require.Zero(tb, len(b)%2, "half a sample")
	samples := make([]int16, len(b)/2)
	_, err = binary.Decode(b, binary.LittleEndian, samples)
	require.NoError(tb, err)
	return samples
}

// samplesOf returns the samples of a WAV file written by this project, after its 44-byte header.
func samplesOf(tb testing.TB, path string) []int16 {
	tb.Helper()
	b, err := os.ReadFile(path)
	require.NoError(tb, err)
	samples := make([]int16, (len(b)-44)/2)
	_, err = binary.Decode(b[44:], binary.LittleEndian, samples)
	require.NoError(tb, err)
	return samples
}

// code asserts the Code of an error and that its message has no path, and returns the error.
func code(tb testing.TB, want engine.Code, err error) *engine.Error {
	tb.Helper()
	var e *engine.Error
	require.ErrorAs(tb, err, &e)
	require.Equal(tb, want, e.Code, err)
	require.NotContains(tb, e.Msg+e.Hint, string(filepath.Separator), "a path in a message for users")
	return e
}
