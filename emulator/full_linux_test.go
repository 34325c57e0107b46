package emulator_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// smallDisk mounts a file system of the given size. Mounting requires privileges that a laptop's user doesn't have.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	mount(t, dir, size)
	return dir
}

func mount(t *testing.T, dir, size string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("mounting a small disk: %v", err)
		}
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
}

// A full disk gives 507 in the format of the storage or the API. Partial uploads are never visible, acknowledged ones are kept,
// and everything works again once there is space.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	dir := smallDisk(t, "8m")
	s := start(t, emulator.Options{DataDir: filepath.Join(dir, "data")})
	reserve := func(size string) (int, map[string]any) {
		return call(t, "POST", s.URL()+"/v1/uploads", `{"filename":"a.wav","content_type":"audio/wav","content_size":`+size+`}`)
	}
	put := func(url any, n int) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url.(string), strings.NewReader(strings.Repeat("x", n)))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "audio/wav")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		b, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(b)
	}
	status, kept := reserve("1000")
	require.Equal(t, 201, status)
	status, body := put(kept["upload_url"], 1000)
	require.Equal(t, 200, status, body)

	status, large := reserve("10000000")
	require.Equal(t, 201, status)
	status, body = put(large["upload_url"], 10_000_000)
	require.Equal(t, 507, status, body)
	require.Contains(t, body, "<Code>InsufficientStorage</Code>")
	status, _ = call(t, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+large["object_id"].(string)+`"}`)
	require.Equal(t, 422, status, "the upload has no bytes")

	ballast := filepath.Join(dir, "ballast")
	fill(t, ballast)
	refused := 0
	for range 200 { // the database may have a few free pages left
		if status, v := reserve("1"); status == 507 {
			require.NotEmpty(t, v["error"])
			if refused++; refused == 3 {
				break
			}
		} else {
			require.Equal(t, 201, status)
		}
	}
	require.Equal(t, 3, refused)
	status, _ = call(t, "GET", s.URL()+"/v1/recordings", "")
	require.Equal(t, 200, status, "reading still works")
	status, problems := healthOf(t, s)
	require.Equal(t, 503, status)
	require.Contains(t, problems, "The disk of the data folder is full.")

	require.NoError(t, os.Truncate(ballast, 0)) // a child of another test may keep a removed file open
	status, _ = healthOf(t, s)
	require.Equal(t, 200, status)
	status, v := call(t, "POST", s.URL()+"/v1/recordings", `{"object_id":"`+kept["object_id"].(string)+`"}`)
	require.Equal(t, 201, status, "%v", v)
}

// A render without disk space fails with an error that says so and leaves no files. It works once there is space. This holds for
// the disk of temporary files and for the disk of videos.
func TestRenderDiskFull(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it renders video")
	needFFmpeg(t)
	media := filepath.Join(t.TempDir(), "noise.mp4") // noise gives a large video
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3,noise=alls=80:allf=t", "-i", "../testdata/conversation.wav",
		"-t", "3", "-crf", "20", "-preset", "ultrafast", "-pix_fmt", "yuv420p", media).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, work := range map[string]bool{"where ffmpeg works": true, "where videos are kept": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, temporary := t.TempDir(), smallDisk(t, "16m")
			blobs := filepath.Join(data, "blobs") // on its own disk, so that the database can store the failure
			require.NoError(t, os.Mkdir(blobs, 0o700))
			mount(t, blobs, "16m")
			s := start(t, emulator.Options{DataDir: data, FFmpeg: render.FFmpeg{TempDir: temporary}})
			me, rec := recorded(t, s, media)
			n := engine.NewRender{RecordingID: rec, AspectRatio: engine.AspectOriginal}
			full := blobs
			if work {
				full = temporary
			}
			ballast := filepath.Join(full, "ballast")
			fill(t, ballast)
			info, err := os.Stat(ballast)
			require.NoError(t, err)
			require.NoError(t, os.Truncate(ballast, info.Size()-400<<10))
			r := rendered(t, s, me, n)
			require.Equal(t, engine.RenderFailed, r.Status)
			require.Regexp(t, `^The disk is full.* Free some space, then`, r.Message)
			_, _, err = s.Engine().SignedAsset(t.Context(), r.ID)
			require.Equal(t, engine.CodeNotFound, engine.CodeOf(err))
			require.NoError(t, os.Truncate(ballast, 0)) // a child of another test may keep a removed file open
			r = rendered(t, s, me, n)
			require.Equal(t, engine.RenderCompleted, r.Status, r.Message)
			require.Greater(t, r.Size, int64(400<<10), "the video is larger than the free space before")
			left, err := filepath.Glob(filepath.Join(temporary, "*", "*"))
			require.NoError(t, err)
			require.Empty(t, left)
			videos, err := filepath.Glob(filepath.Join(blobs, "renders", "*", "*"))
			require.NoError(t, err)
			require.LessOrEqual(t, len(videos), 2, "one blob: %q", videos)
		})
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	for size := 1 << 20; size > 0; size /= 2 {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				break
			}
		}
	}
	require.NoError(t, f.Close())
}
