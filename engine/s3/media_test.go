package s3_test

import (
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/s3"
	"github.com/soundstage-dev/soundstage/render"
)

// ffprobe and ffmpeg read a blob through one local copy, which is downloaded once.
func TestMedia(t *testing.T) {
	t.Parallel()
	if err := (render.FFmpeg{}).Check(t.Context()); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	tone, err := os.ReadFile("../../testdata/tone.wav")
	require.NoError(t, err)
	p, b := newProxy(t, s3.Options{CopyDir: t.TempDir()})
	store(t, b, "a", string(tone))
	var gets atomic.Int64
	p.on(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			gets.Add(1)
		}
		return false
	}, nil)
	f := render.FFmpeg{TempDir: t.TempDir()}
	src, err := b.Pin(t.Context(), "a")
	require.NoError(t, err)
	info, err := f.Probe(t.Context(), src)
	require.NoError(t, err)
	require.Equal(t, "wav", info.Format)
	pcm, err := f.Decode(t.Context(), src)
	require.NoError(t, err)
	samples, err := io.ReadAll(pcm)
	require.NoError(t, err)
	require.NoError(t, pcm.Close())
	require.Len(t, samples, 2*16_000)
	require.EqualValues(t, 1, gets.Load())
	files, err := os.ReadDir(f.TempDir)
	require.NoError(t, err)
	require.Empty(t, files)
}
