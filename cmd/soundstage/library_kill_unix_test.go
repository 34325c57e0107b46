//go:build unix

package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator/datafolder"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// filesPerKill is how many files each cycle of TestCampaignLibrary adds to the folder.
const filesPerKill = 50

// A watcher of a folder that is killed at random moments, while files are being written to it, adds every file once, whole, and
// transcribes it. The figure for 1,000 files and 20 kills:
//
//	go test ./cmd/soundstage -run TestCampaignLibrary -cycles 20 -v
func TestCampaignLibrary(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts many programs")
	needFFmpeg(t)
	dir := t.TempDir()
	folder, data := filepath.Join(dir, "folder"), filepath.Join(dir, "lib")
	require.NoError(t, os.Mkdir(folder, 0o700))
	sound, err := os.ReadFile(testdata("conversation.wav"))
	require.NoError(t, err)
	rng, cycles, began := campaignRandom(7), campaignCycles(2), time.Now()
	reported := 0
	for i := range cycles {
		w := startWatcher(t, folder, data)
		written := make(chan error, 1)
		go func() { written <- writeShorts(folder, i, sound) }()
		for n := rng.IntN(filesPerKill); n > 0; {
			if w.next().Result == "added" {
				n, reported = n-1, reported+1
			}
		}
		<-time.After(time.Duration(rng.IntN(50_000)) * time.Microsecond)
		require.Error(t, w.kill(syscall.SIGKILL))
		require.NoError(t, <-written)
	}
	w := startWatcher(t, folder, data)
	for inputs := map[string]bool{}; len(inputs) < cycles*filesPerKill; {
		inputs[w.next().Input] = true
	}
	require.NoError(t, w.kill(syscall.SIGTERM), "an interrupted watcher succeeds")
	took := time.Since(began)
	orphans := requireEachOnce(t, folder, data, cycles*filesPerKill)
	t.Logf("%d files, %d kills: each file once, all transcribed, in %s; %d were reported before a kill, %d parts of copies wait for the clean-up",
		cycles*filesPerKill, cycles, took.Round(time.Second), reported, orphans)
}

// watcherProcess is a running `library add --watch`.
type watcherProcess struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Reader
}

func startWatcher(t *testing.T, folder, data string) *watcherProcess {
	t.Helper()
	cmd := programCommand("library", "add", folder, "--watch", "--interval", "20ms", "--data", data, "--json")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &watcherProcess{t, cmd, bufio.NewReader(out)}
}

// next waits for a result, which may not be a failure.
func (w *watcherProcess) next() (result addedLine) {
	line, err := w.out.ReadBytes('\n')
	require.NoError(w.t, err)
	require.NoError(w.t, json.Unmarshal(line, &result), "%s", line)
	require.Contains(w.t, []string{"added", "known"}, result.Result, "%s", line)
	return result
}

// kill ends the process and waits for it.
func (w *watcherProcess) kill(sig syscall.Signal) error {
	require.NoError(w.t, w.cmd.Process.Signal(sig))
	_, _ = io.Copy(io.Discard, w.out)
	return w.cmd.Wait()
}

// writeShorts writes files of 0.8 s of speech, every third of them in two parts.
func writeShorts(folder string, batch int, sound []byte) error {
	const header, begin, size = 44, 16_000, 25_600 // bytes, of 16-bit samples at 16 kHz
	for i := range filesPerKill {
		at := header + begin + 2*(batch*filesPerKill+i)
		file := append(slices.Clone(sound[:header]), sound[at:at+size]...)
		binary.LittleEndian.PutUint32(file[4:], uint32(len(file)-8))
		binary.LittleEndian.PutUint32(file[40:], size)
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("short %03d-%02d.wav", batch, i)))
		if err != nil {
			return err
		}
		_, err = f.Write(file[:size/2])
		if err == nil && i%3 == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		if err == nil {
			_, err = f.Write(file[size/2:])
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// requireEachOnce checks that each file of a folder is one recording, of the whole file, and that the data folder is undamaged. It returns how
// many stored files belong to no row.
func requireEachOnce(t *testing.T, folder, data string, want int) (orphans int) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, want)
	list := jsonLines[libraryRecording](t, lib(t, data, "list", "--json"))
	require.Len(t, list, want, "nothing twice")
	sizes, numbers := map[string]int64{}, map[int]bool{}
	for _, r := range list {
		require.Equal(t, "completed", string(r.Status))
		sizes[r.Source], numbers[r.Number] = r.Bytes, true
	}
	require.Len(t, numbers, want)
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, info.Size(), sizes[realPath(filepath.Join(folder, e.Name()))], "%s: nothing lost", e.Name())
	}
	report, err := datafolder.Verify(t.Context(), data)
	require.NoError(t, err)
	require.True(t, report.OK, "%+v", report)
	return len(report.Orphans)
}
