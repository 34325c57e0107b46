package render_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/executable"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// needPrograms skips a test that runs the scripts in testdata/programs if there is no shell.
func needPrograms(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
}

// running returns an FFmpeg that runs a script of testdata/programs as both programs.
func running(t *testing.T, script string) render.FFmpeg {
	t.Helper()
	needPrograms(t)
	path := filepath.Join("testdata", "programs", script)
	return render.FFmpeg{FFmpeg: path, FFprobe: path}
}

// processes returns the IDs of processes that have a string among their arguments.
func processes(t *testing.T, argument string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var found []string
	for _, line := range lines {
		if b, err := os.ReadFile(line); err == nil && strings.Contains(string(b), argument) {
			found = append(found, filepath.Base(filepath.Dir(line)))
		}
	}
	return found
}

// folder returns the names of the files in a folder.
func folder(t *testing.T, path string) []string {
	t.Helper()
	entries, err := os.ReadDir(path)
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}

// The end of the context ends the stream and the process and removes the copy; its cause becomes the error's cause.
func TestDecodeCanceled(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	const size = 1 << 20 // more than a pipe holds, so ffmpeg still runs
	f := render.FFmpeg{TempDir: t.TempDir()}
	ctx, cancel := context.WithCancelCause(context.Background())
	stream, err := f.Decode(ctx, inMemory(append(wav(transcript.SampleRate, 1, size), make([]byte, size)...)))
	require.NoError(t, err)
	require.Len(t, folder(t, f.TempDir), 1)
	require.Len(t, processes(t, f.TempDir), 1)

	reason := errors.New("the lease is lost")
	cancel(reason)
	_, err = io.Copy(io.Discard, stream)
	code(t, engine.CodeCanceled, err)
	require.ErrorIs(t, err, reason)
	err = stream.Close()
	code(t, engine.CodeCanceled, err)
	require.Equal(t, err, stream.Close(), "Close may be called again")
	require.Empty(t, processes(t, f.TempDir))
	require.Empty(t, folder(t, f.TempDir))
}

// Closing early is no error, ends the process, and unblocks a waiting reader.
func TestDecodeClosedEarly(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	path := hour(t)
	stream, err := render.FFmpeg{}.Decode(context.Background(), localFile(path))
	require.NoError(t, err)
	require.Len(t, processes(t, path), 1)
	require.NoError(t, stream.Close())
	require.Empty(t, processes(t, path))
	_, err = io.Copy(io.Discard, stream)
	require.Error(t, err, "a truncated stream must not end with io.EOF")

	stalled, err := running(t, "stall").Decode(context.Background(), localFile(path))
	require.NoError(t, err)
	var reader sync.WaitGroup
	reader.Go(func() { _, err = io.Copy(io.Discard, stalled) })
	require.NoError(t, stalled.Close())
	reader.Wait()
	require.ErrorIs(t, err, os.ErrClosed)
}

// The end of the context kills a process with all its children.
func TestCancelKillsTheGroup(t *testing.T) {
	t.Parallel()
	path := temporary(t, "unique.wav", []byte("RIFF"))
	ctx, cancel := context.WithCancel(context.Background())
	f := running(t, "hang")
	var call sync.WaitGroup
	var err error
	call.Go(func() { _, err = f.Probe(ctx, localFile(path)) })
	require.Eventually(t, func() bool { return len(processes(t, path)) == 2 }, time.Minute, time.Millisecond)
	cancel()
	call.Wait()
	code(t, engine.CodeCanceled, err)
	require.Eventually(t, func() bool { return len(processes(t, path)) == 0 }, time.Minute, time.Millisecond)
}

// A process may use 4 GiB of address space, or MaxMemory, and write no file.
func TestLimits(t *testing.T) {
	t.Parallel()
	needFFmpeg(t)
	for want, f := range map[string]render.FFmpeg{"4294967296": {}, "1073741824": {MaxMemory: 1 << 30}} {
		path := hour(t)
		stream, err := f.Decode(context.Background(), localFile(path))
		require.NoError(t, err)
		limits, err := os.ReadFile("/proc/" + processes(t, path)[0] + "/limits")
		require.NoError(t, err)
		require.Regexp(t, `Max address space +`+want+` +`+want, string(limits))
		require.Regexp(t, `Max file size +0 +0`, string(limits))
		require.Regexp(t, `Max core file size +0 +0`, string(limits))
		require.Regexp(t, `Max cpu time +600 +601`, string(limits))
		require.NoError(t, stream.Close())
	}
}

// A process that uses more CPU time than its limit ends, even if its reader waits elsewhere: by the signal, by ending in order as ffmpeg
// does, or by being killed if it ignores the signal. The media is at fault, so the error is permanent.
func TestCPULimit(t *testing.T) {
	slow.Short(t, "it uses a second of CPU")
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux limits the CPU time of a running process")
	}
	for _, program := range []string{"spin", "spin-orderly", "spin-deaf"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			f := running(t, program)
			f.Timeout = time.Second
			path := temporary(t, program+".wav", []byte("RIFF"))
			stream, err := f.Decode(context.Background(), localFile(path))
			require.NoError(t, err)
			require.Eventually(t, func() bool { return len(processes(t, path)) == 0 }, time.Minute, 10*time.Millisecond)
			_, err = io.Copy(io.Discard, stream)
			e := code(t, engine.CodeBadMedia, err)
			require.Equal(t, "The media needs more than 1s of CPU time to read.", e.Msg)
			require.False(t, e.Retryable)
			require.Equal(t, err, stream.Close())
		})
	}
}

// The output and the end of a process become an error that says whether the media is at fault.
func TestProcessErrors(t *testing.T) {
	t.Parallel()
	media := localFile(shared("tone.wav"))
	for _, c := range []struct {
		name, script string
		want         engine.Code
		retryable    bool
	}{
		// A process that prints nothing may be on a busy machine.
		{"hangs", "hang", engine.CodeUnavailable, true},
		// The system kills processes when memory is short; a retry may succeed.
		{"killed by the system", "killed", engine.CodeUnavailable, true},
		// A decoder that crashes on a file will crash again.
		{"crashes", "segfault", engine.CodeBadMedia, false},
		{"complains", "noisy", engine.CodeBadMedia, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := running(t, c.script)
			if c.script == "hang" {
				f.Timeout = 20 * time.Millisecond
			}
			_, err := f.Probe(context.Background(), media)
			require.Equal(t, c.retryable, code(t, c.want, err).Retryable)
			_, err = f.Decode(context.Background(), media)
			require.Equal(t, c.retryable, code(t, c.want, err).Retryable)
		})
	}

	// An error after the first samples comes from Read, and again from Close; it isn't io.EOF.
	t.Run("fails halfway", func(t *testing.T) {
		t.Parallel()
		stream, err := running(t, "halfway").Decode(context.Background(), media)
		require.NoError(t, err)
		got, err := io.ReadAll(stream)
		require.Equal(t, "abcd", string(got))
		code(t, engine.CodeBadMedia, err)
		code(t, engine.CodeBadMedia, stream.Close())
	})

	// The timeout also applies in the middle of a stream.
	t.Run("stalls halfway", func(t *testing.T) {
		t.Parallel()
		f := running(t, "stall")
		f.Timeout = time.Second
		stream, err := f.Decode(context.Background(), media)
		require.NoError(t, err)
		_, err = io.ReadAll(stream)
		code(t, engine.CodeUnavailable, err)
		code(t, engine.CodeUnavailable, stream.Close())
	})

	// The log gets the last 4 KiB of output; the user gets none of it.
	t.Run("last words", func(t *testing.T) {
		t.Parallel()
		_, err := running(t, "noisy").Probe(context.Background(), media)
		e := code(t, engine.CodeBadMedia, err)
		require.True(t, strings.HasSuffix(e.Err.Error(), "last words"), e.Err)
		require.Less(t, len(e.Err.Error()), 4<<10+50)
	})

	// A program that can't be executed isn't the media's fault.
	t.Run("cannot start", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "ffprobe")
		executable.Write(t, path, "no program")
		_, err := render.FFmpeg{FFprobe: path}.Probe(context.Background(), media)
		require.NotEmpty(t, code(t, engine.CodeUnavailable, err).Hint)
	})
}

// Every ffmpeg and ffprobe is started by one function, which gives it a deadline on the wall clock on every platform.
func TestEveryStartHasADeadline(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	starts := map[string]int{}
	for _, path := range sources {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, call := range []string{"exec.Command", "os.StartProcess", "syscall.ForkExec"} {
			if n := strings.Count(string(b), call); n > 0 && !strings.HasSuffix(path, "_test.go") {
				starts[path+" "+call] = n
			}
		}
	}
	require.Equal(t, map[string]int{"process.go exec.Command": 1}, starts)

	path := temporary(t, "hanging.wav", []byte("RIFF"))
	for name, op := range map[string]func(render.FFmpeg) error{
		"probe": func(f render.FFmpeg) error {
			_, err := f.Probe(context.Background(), localFile(path))
			return err
		},
		"decode": func(f render.FFmpeg) error {
			_, err := f.Decode(context.Background(), localFile(path))
			return err
		},
		"poster": func(f render.FFmpeg) error {
			return f.Poster(context.Background(), localFile(path), 0, 0, io.Discard)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := running(t, "hang")
			f.Timeout = 20 * time.Millisecond
			code(t, engine.CodeUnavailable, op(f))
		})
	}
	require.Equal(t, 10*time.Minute, render.WaitLimit(render.FFmpeg{}, 0))
	require.Equal(t, time.Second, render.WaitLimit(render.FFmpeg{}, time.Second))
	require.Equal(t, time.Minute, render.WaitLimit(render.FFmpeg{Timeout: time.Minute}, 0))
}

// A process doesn't get our secrets. Not parallel: it sets the environment.
func TestEnvironment(t *testing.T) {
	t.Setenv("SOUNDSTAGE_SECRET", "hunter2")
	_, err := running(t, "environment").Probe(context.Background(), localFile(shared("tone.wav")))
	e := code(t, engine.CodeBadMedia, err)
	require.Contains(t, e.Err.Error(), "PATH=")
	require.NotContains(t, e.Err.Error(), "hunter2")
}
