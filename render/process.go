package render

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// waitDelay is how long a killed process may hold on to its pipes.
const waitDelay = 2 * time.Second

// process is a running ffmpeg or ffprobe whose standard output is read as a stream. One goroutine reads; Close may be
// called by another.
type process struct {
	caller  context.Context // the caller's: its end is a cancel
	own     context.Context // ends with the caller's, and with kill
	kill    context.CancelFunc
	stdout  *os.File
	stderr  tail
	waiting time.Duration // that the reader may still spend
	late    atomic.Bool   // the reader has waited too long
	done    chan struct{} // closed when the process is gone and the rest is set
	err     error         // its exit status
	ending  ending
}

// limits are how many bytes a process may use: of address space, and in a file that it writes.
type limits struct{ memory, fileSize uint64 }

// command is a program to run. The zero value of a field is the default.
type command struct {
	program  string
	args     []string
	folder   string        // that it runs in; default ours
	fileSize uint64        // how large a file it may write; default none
	patience time.Duration // how long its reader may wait; default the timeout of FFmpeg
	errors   io.Writer     // what it says is written here too
}

// start runs a program that writes no file.
func (f FFmpeg) start(ctx context.Context, program string, args []string) (*process, error) {
	return f.launch(ctx, command{program: program, args: args})
}

// launch runs a command in a process group of its own, with the limits of f.
func (f FFmpeg) launch(ctx context.Context, c command) (*process, error) {
	stdout, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{caller: ctx, stdout: stdout, waiting: cmp.Or(c.patience, f.timeout()), done: make(chan struct{})}
	p.own, p.kill = context.WithCancel(ctx)
	cmd := exec.CommandContext(p.own, c.program, c.args...)
	cmd.Env, cmd.Dir = environment(), c.folder
	cmd.Stdout, cmd.Stderr = w, &p.stderr
	if c.errors != nil {
		cmd.Stderr = io.MultiWriter(&p.stderr, c.errors)
	}
	cmd.WaitDelay = waitDelay
	ownGroup(cmd)
	started := make(chan error)
	go p.run(cmd, limits{memory: uint64(f.maxMemory()), fileSize: c.fileSize}, started)
	err = <-started
	_ = w.Close()
	if err != nil {
		p.kill()
		_ = stdout.Close()
		return nil, err
	}
	return p, nil
}

// run is the process's life. It keeps its thread, because on Linux a process that is to die with its parent dies with
// the thread that started it (golang.org/issue/27505).
func (p *process) run(cmd *exec.Cmd, most limits, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	if err == nil {
		limit(cmd.Process.Pid, most)
	}
	started <- err
	if err != nil {
		return
	}
	if p.err = cmd.Wait(); errors.Is(p.err, exec.ErrWaitDelay) {
		p.err = nil // it did end well; what holds on to its pipe is none of ours
	}
	p.ending = p.whyEnded()
	if p.ending > failed {
		_ = p.stdout.Close() // frees the reader, even if somebody else still holds the other end
	}
	close(p.done)
}

// Read reads standard output. io.EOF comes at every end, whatever its cause; wait tells which.
func (p *process) Read(b []byte) (int, error) {
	begin := time.Now()
	_ = p.stdout.SetReadDeadline(begin.Add(p.waiting)) // where pipes have no deadlines, the context alone ends a read
	n, err := p.stdout.Read(b)
	p.waiting -= time.Since(begin)
	if n > 0 {
		return n, nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.giveUp()
	}
	return 0, io.EOF
}

// wait returns how the process ended, once it has.
func (p *process) wait() ending {
	timer := time.NewTimer(max(p.waiting, 0))
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
		p.giveUp()
		<-p.done
	}
	return p.result()
}

func (p *process) giveUp() {
	p.late.Store(true)
	p.kill()
}

// close ends the process if it is still there, and returns how it ended.
func (p *process) close() ending {
	p.kill()
	<-p.done
	_ = p.stdout.Close()
	return p.result()
}

// result is how the process ended. One that we gave up on may have ended well a moment later: what it wrote in that
// moment was not read, so that is no success.
func (p *process) result() ending {
	if p.late.Load() && p.ending != wasStopped {
		return wasLate
	}
	return p.ending
}

// ending is why a process is gone.
type ending int

const (
	succeeded  ending = iota // exit status 0
	failed                   // any other status, or a crash
	wasClosed                // we killed it because nobody wants its output any more
	wasLate                  // we killed it because the reader had waited too long
	wasKilled                // somebody else killed it: mostly the system, for memory
	wasStopped               // the caller's context ended
)

func (p *process) whyEnded() ending {
	switch {
	case p.err == nil:
		return succeeded
	case p.caller.Err() != nil:
		return wasStopped
	case p.own.Err() != nil:
		return wasClosed
	case killed(p.err):
		return wasKilled
	}
	return failed
}

// cause is what the log should know: the exit status, and the last that the process said.
func (p *process) cause() error {
	said := p.stderr.String()
	switch {
	case said == "":
		return p.err
	case p.err == nil:
		return errors.New(said)
	}
	return errors.Join(p.err, errors.New(said))
}

// environment is what a process that handles untrusted media gets to see of ours: no secrets, and nothing that makes
// ffmpeg write logs to files.
func environment() []string {
	names := []string{"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"}
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(names, strings.ToUpper(name))
	})
}
