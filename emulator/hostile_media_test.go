//go:build unix

package emulator_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/internal/hostile"
	"github.com/soundstage-dev/soundstage/internal/leaks"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// The campaign of hostile media: .ci/campaign LONG=1 media.
var (
	hostileFiles = flag.Int("files", 40, "hostile files for each of the tests TestHostileMedia and TestHostileUploads")
	hostileFrom  = flag.Int("files-from", -1, "number of the first one; the others follow. -1 for a sample of the first 400")
	hostileSeed  = flag.Uint64("files-seed", 1, "seed of their mutations")
)

const (
	hostileDeadline = 10 * time.Second // of the work on one file that may take long
	quickDeadline   = time.Minute      // of the work on other files; only a very slow machine reaches it
)

// hostileCorpus returns the files of the campaign. A short one is a sample of the playlists, bombs, and mutations. Playlists name the canary,
// and a file that could be decoded.
func hostileCorpus(t *testing.T, canary hostile.Canary) []hostile.File {
	t.Helper()
	shared, err := filepath.Abs(filepath.Join("..", "testdata"))
	require.NoError(t, err)
	seeds := hostile.Seeds(t, filepath.Join(shared, "conversation.mp4"))
	targets := append(canary.URLs(), filepath.Join(shared, "tone.wav"), "file://"+filepath.Join(shared, "tone.wav"))
	if *hostileFrom >= 0 {
		return hostile.Files(seeds, targets, *hostileFrom+*hostileFiles, *hostileSeed)[*hostileFrom:]
	}
	files := hostile.Files(seeds, targets, 400, *hostileSeed)
	sample := []hostile.File{}
	for i := range *hostileFiles {
		sample = append(sample, files[i*len(files) / *hostileFiles])
	}
	return sample
}

// memorySource is an engine.Source of bytes, which ffmpeg can read only from a temporary file.
type memorySource []byte

func (m memorySource) Size() int64 { return int64(len(m)) }

func (m memorySource) Open(context.Context, int64, int64) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(m)), nil
}

// Hostile media is refused or decoded: within its limit of CPU time, without a connection, and without leftovers. What playlists name is
// never opened. Not parallel: it measures child processes.
func TestHostileMedia(t *testing.T) {
	slow.Skip(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	temp := t.TempDir()
	canary := hostile.Listen(t)
	files := hostileCorpus(t, canary)
	leaks.Check(t, temp)
	outcomes, costliest, most := map[string]int{}, "", time.Duration(0)
	for _, f := range files {
		before := cpuOfChildren()
		outcome := string(f.Kind) + " " + play(t, temp, f)
		outcomes[outcome]++
		if cost := cpuOfChildren() - before; cost > most {
			costliest, most = f.Name, cost
		}
	}
	require.LessOrEqual(t, most, 2*hostileDeadline, "CPU time of %s", costliest)
	canary.RequireSilent(t)
	t.Logf("%d files: %v; most CPU time: %v for %s", len(files), outcomes, most, costliest)
}

// play probes and decodes a file, and returns how that ended.
func play(t *testing.T, temp string, f hostile.File) string {
	t.Helper()
	limit := hostileDeadline
	allowed := []engine.Code{"", engine.CodeBadMedia, engine.CodeUnavailable, engine.CodeCanceled}
	if f.Kind == hostile.Playlist {
		limit, allowed = quickDeadline, []engine.Code{engine.CodeBadMedia}
	}
	limited := media.Limit(render.FFmpeg{TempDir: temp, Timeout: limit}, 0)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	_, err := limited.Probe(ctx, memorySource(f.Bytes))
	if err == nil {
		err = decodeAll(ctx, limited, f.Bytes)
	}
	code := engine.CodeOf(err)
	require.Contains(t, allowed, code, "%s: %v", f.Name, err)
	if code == "" {
		return "decoded"
	}
	return string(code)
}

// decodeAll decodes a file, and discards the sound.
func decodeAll(ctx context.Context, media engine.Media, b []byte) error {
	pcm, err := media.Decode(ctx, memorySource(b))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, pcm)
	if closeErr := pcm.Close(); err == nil {
		err = closeErr
	}
	return err
}

// A sandbox to which hostile media is uploaded fails or transcribes each recording, and keeps working. Not parallel: it measures child
// processes.
func TestHostileUploads(t *testing.T) {
	slow.Skip(t, "it runs ffmpeg many times")
	needFFmpeg(t)
	temp := t.TempDir()
	canary := hostile.Listen(t)
	files := hostileCorpus(t, canary)
	leaks.Check(t, temp)
	s, err := emulator.New(t.Context(), emulator.Options{
		FFmpeg: render.FFmpeg{TempDir: temp, Timeout: hostileDeadline},
		Deadline: func(length time.Duration) time.Duration { // short media is in no danger, however slow the machine is
			if length < time.Hour {
				return time.Minute
			}
			return hostileDeadline
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	outcomes, costliest, most := map[string]int{}, "", time.Duration(0)
	for _, f := range files {
		before := cpuOfChildren()
		status := transcribed(t, s, f.Name, f.Bytes)
		if f.Kind == hostile.Playlist {
			require.Equal(t, "error", status, f.Name)
		}
		outcomes[fmt.Sprint(f.Kind, " ", status)]++
		if cost := cpuOfChildren() - before; cost > most {
			costliest, most = f.Name, cost
		}
	}
	require.LessOrEqual(t, most, 2*quickDeadline, "CPU time of %s", costliest)
	whole, err := os.ReadFile(filepath.Join("..", "testdata", "conversation.mp3"))
	require.NoError(t, err)
	require.Equal(t, "completed", transcribed(t, s, "conversation.mp3", whole))
	canary.RequireSilent(t)
	requireNoMedia(t, temp)
	t.Logf("%d files: %v; most CPU time: %v for %s", len(files), outcomes, most, costliest)
}

// requireNoMedia fails the test if a copy of media is left in a folder, which closing the sandbox would delete.
func requireNoMedia(t *testing.T, folder string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		require.NotEqual(t, ".media", filepath.Ext(path), path)
		return err
	}))
}

// transcribed uploads media, waits for its transcript, and returns the final status: completed or error.
func transcribed(t *testing.T, s *emulator.Server, name string, media []byte) (status string) {
	t.Helper()
	code, up := call(t, "POST", s.URL()+"/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":"audio/mpeg","content_size":%d}`, name, len(media)))
	require.Equal(t, 201, code, "%v", up)
	req, err := http.NewRequestWithContext(t.Context(), "PUT", up["upload_url"].(string), bytes.NewReader(media))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "audio/mpeg")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	code, rec := call(t, "POST", s.URL()+"/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up["object_id"]))
	require.Less(t, code, 500, "%s: %v", name, rec)
	if code >= 400 {
		return "error"
	}
	path := s.URL() + "/v1/recordings/" + rec["recording"].(map[string]any)["id"].(string)
	for began := time.Now(); time.Since(began) < 2*time.Minute; { // each poll waits for the work
		code, rec = call(t, "GET", path, "")
		require.Equal(t, 200, code, "%s: %v", name, rec)
		status = rec["recording"].(map[string]any)["transcript_status"].(string)
		if status == "completed" || status == "error" {
			return status
		}
	}
	t.Fatalf("%s is still %s", name, status)
	return ""
}

// cpuOfChildren returns the CPU time of all child processes that have ended.
func cpuOfChildren() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
