package render_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

// smallDisk mounts a file system of the given size. An ordinary user may not mount.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("could not mount a small disk, which this test needs: %v", err)
		}
		t.Skipf("could not mount a small disk: %v", err)
	}
	// A program that another test starts has this test's files open until it runs.
	t.Cleanup(func() {
		require.Eventually(t, func() bool { return syscall.Unmount(dir, 0) == nil }, 10*time.Second, 10*time.Millisecond, "a file is still open there")
	})
	return dir
}

// ballast fills a disk except for room bytes, and returns the path of the file that fills it.
func ballast(t *testing.T, dir string, room int64) string {
	t.Helper()
	path := filepath.Join(dir, "ballast")
	file, err := os.Create(path)
	require.NoError(t, err)
	var size int64
	for err == nil {
		var n int
		n, err = file.Write(make([]byte, 4096))
		size += int64(n)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, errors.Join(file.Truncate(size-room), file.Close()))
	return path
}

// Whenever a disk becomes full, the render fails with CodeNoSpace, an existing result stays, no partial file remains, and
// the next render works once there is space.
func TestRenderOnFullDisk(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	noise := film(t, "noise.mp4", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3,noise=alls=80:allf=t", "-i", shared("conversation.wav"), "-t", "3",
		"-crf", "12", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
	r := render.Request{Window: window(0, 3000), ShortSide: 360, Fit: render.Crop, Title: "Noise", Words: wordsOf("one two three", 0, 3*time.Second)}
	_, whole := rendered(t, noise, r)
	require.Greater(t, whole.Size, int64(1<<20))
	for name, c := range map[string]struct {
		room int64 // for the result; negative for enough
		temp int64 // for ffmpeg's other files; negative for enough
	}{
		"from the beginning": {0, -1},
		"after a while":      {300 << 10, -1},
		"at the very end":    {whole.Size - 8<<10, -1}, // there is no space for the header
		"for captions":       {-1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results, temporary := smallDisk(t, "16m"), smallDisk(t, "16m")
			out := filepath.Join(results, "out.mp4")
			require.NoError(t, os.WriteFile(out, []byte("earlier"), 0o600))
			full := results
			if c.room < 0 {
				full, c.room = temporary, c.temp
			}
			filling := ballast(t, full, c.room)
			f := render.FFmpeg{TempDir: temporary}
			before := [][]string{folder(t, results), folder(t, temporary)}
			_, err := f.Render(context.Background(), noise, r, out, nil)
			e := code(t, engine.CodeNoSpace, err)
			require.Equal(t, "The disk is full, so the render could not be finished. Free some space, then render again.", e.Msg+" "+e.Hint)
			require.Equal(t, before, [][]string{folder(t, results), folder(t, temporary)})
			b, err := os.ReadFile(out)
			require.NoError(t, err)
			require.Equal(t, "earlier", string(b))

			require.NoError(t, os.Remove(filling))
			_, err = f.Render(context.Background(), noise, r, out, nil)
			require.NoError(t, err)
			require.Equal(t, []string{"out.mp4"}, folder(t, results))
		})
	}
}
