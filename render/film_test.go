package render_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// flashes and beeps start together at every whole second and last 0.2 s.
const (
	flashes = "color=c=black:s=64x48:r=25:d=12,geq=lum='if(lt(mod(T,1),0.2),235,16)':cb=128:cr=128"
	beeps   = "aevalsrc='0.5*lt(mod(t,1),0.2)*sin(2*PI*1000*t)':s=48000:d=12"
)

// runFFmpeg runs the program for a test.
func runFFmpeg(tb testing.TB, args ...string) []byte {
	tb.Helper()
	var out, said bytes.Buffer
	cmd := exec.Command("ffmpeg", append([]string{"-v", "error", "-nostdin", "-y"}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	require.NoError(tb, cmd.Run(), said.String())
	return out.Bytes()
}

// film writes media into the test's temporary folder. args go between the program and the file name.
func film(tb testing.TB, name string, args ...string) localFile {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	runFFmpeg(tb, slices.Concat(args, []string{path})...)
	return localFile(path)
}

// turn makes players rotate the picture of a QuickTime file by 90°, clockwise or anticlockwise. Versions of ffmpeg disagree
// on the option for this, so turn writes the matrix into the track header (QuickTime File Format, "Track Header Atom").
func turn(tb testing.TB, file localFile, clockwise bool) localFile {
	tb.Helper()
	raw, err := os.ReadFile(string(file))
	require.NoError(tb, err)
	header := bytes.Index(raw, []byte("tkhd"))
	require.Positive(tb, header)
	matrix := raw[header+4+40 : header+4+76] // of version 0
	require.Equal(tb, byte(0), raw[header+4])
	require.Equal(tb, uint32(1<<30), binary.BigEndian.Uint32(matrix[32:]))
	quarter := uint32(1 << 16)
	if !clockwise {
		quarter = -quarter
	}
	for i, v := range []uint32{0, quarter, 0, -quarter, 0, 0, 0, 0} {
		binary.BigEndian.PutUint32(matrix[4*i:], v)
	}
	require.NoError(tb, os.WriteFile(string(file), raw, 0o600))
	return file
}

// window returns a window in milliseconds.
func window(start, end int) transcript.Window {
	return transcript.Window{Start: time.Duration(start) * time.Millisecond, End: time.Duration(end) * time.Millisecond}
}

// rendered renders a request, by default at the smallest allowed size, and returns the file.
func rendered(tb testing.TB, src engine.Source, r render.Request) (localFile, render.Result) {
	tb.Helper()
	slow.Skip(tb, "it renders video")
	if r.ShortSide == 0 {
		r.ShortSide = 144
	}
	out := filepath.Join(tb.TempDir(), "out.mp4")
	result, err := renderer.Render(context.Background(), src, r, out, nil)
	require.NoError(tb, err)
	return localFile(out), result
}

// described is ffprobe's report about a result.
type described struct {
	Streams []struct {
		Type       string            `json:"codec_type"`
		Codec      string            `json:"codec_name"`
		Profile    string            `json:"profile"`
		Width      int               `json:"width"`
		Height     int               `json:"height"`
		Format     string            `json:"pix_fmt"`
		Pixels     string            `json:"sample_aspect_ratio"`
		Transfer   string            `json:"color_transfer"`
		Matrix     string            `json:"color_space"`
		SampleRate string            `json:"sample_rate"`
		Channels   int               `json:"channels"`
		Frames     string            `json:"nb_frames"`
		Start      string            `json:"start_time"`
		Duration   string            `json:"duration"`
		Rate       string            `json:"avg_frame_rate"`
		SideData   []any             `json:"side_data_list"`
		Tags       map[string]string `json:"tags"`
	} `json:"streams"`
	Format struct {
		Tags map[string]string `json:"tags"`
	} `json:"format"`
	Chapters []any `json:"chapters"`
}

func describe(tb testing.TB, file localFile) described {
	tb.Helper()
	b, err := exec.Command("ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format", "-show_chapters", string(file)).Output()
	require.NoError(tb, err)
	var d described
	require.NoError(tb, json.Unmarshal(b, &d))
	return d
}

// luma returns the mean brightness of each frame in a part of the picture, such as "iw:ih/4:0:0", from 0 to 255.
func luma(tb testing.TB, file localFile, part string) []int {
	tb.Helper()
	b := runFFmpeg(tb, "-i", string(file), "-vf", "crop="+part+",scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-")
	values := make([]int, len(b))
	for i, v := range b {
		values[i] = int(v)
	}
	return values
}

const allOfIt = "iw:ih:0:0"
