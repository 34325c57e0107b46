package render

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// waitDelay is how long the pipes of a killed process may stay open.
const waitDelay = 2 * time.Second

// process is a running ffmpeg or ffprobe whose standard output is read as a stream. One goroutine reads; another one may
// call Close.
type process struct {
	caller   context.Context // the caller's context: its end cancels the process
	own      context.Context // ends with caller and with kill
	kill     context.CancelFunc
	stdout   *os.File
	stderr   tail
	waitLeft time.Duration // how long the reader may still wait
	timer    *time.Timer   // kills it when the reader has waited too long; stopped between reads
	late     atomic.Bool   // the reader waited too long
	cpu      time.Duration // limit of its CPU time
	done     chan struct{} // closed when the process has ended and the fields below are set
	err      error         // exit status
	ending   ending
}

// limits bound a process: its address space and a file that it writes, in bytes, and its CPU time, in seconds.
type limits struct{ memory, fileSize, cpu uint64 }

// command is a program to run. The zero value of a field is its default.
type command struct {
	program  string
	args     []string
	folder   string        // working folder; default the current one
	fileSize uint64        // largest file that it may write; default 0 bytes
	timeout  time.Duration // how long its reader may wait, and its CPU time per thread; default the timeout of FFmpeg
	threads  int           // default 1
	errors   io.Writer     // gets a copy of standard error
}

// start runs a program that writes no file.
func (f FFmpeg) start(ctx context.Context, program string, args []string) (*process, error) {
	return f.launch(ctx, command{program: program, args: args})
}

// waitLimit returns how long the reader of a command may wait, on the wall clock. It is never 0.
func (f FFmpeg) waitLimit(c command) time.Duration { return cmp.Or(c.timeout, f.timeout()) }

// launch runs a command in its own process group, with the limits of f.
func (f FFmpeg) launch(ctx context.Context, c command) (*process, error) {
	stdout, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &process{caller: ctx, stdout: stdout, waitLeft: f.waitLimit(c), done: make(chan struct{})}
	seconds := math.Ceil(p.waitLeft.Seconds()) // the limit is in whole seconds
	p.cpu = time.Duration(seconds) * time.Second * time.Duration(max(c.threads, 1))
	p.own, p.kill = context.WithCancel(ctx)
	p.timer = time.AfterFunc(p.waitLeft, p.giveUp)
	p.timer.Stop()
	cmd := exec.CommandContext(p.own, c.program, c.args...)
	cmd.Env, cmd.Dir = environment(), c.folder
	cmd.Stdout, cmd.Stderr = w, &p.stderr
	if c.errors != nil {
		cmd.Stderr = io.MultiWriter(&p.stderr, c.errors)
	}
	cmd.WaitDelay = waitDelay
	setProcessGroup(cmd)
	started := make(chan error)
	go p.run(cmd, limits{memory: uint64(f.maxMemory()), fileSize: c.fileSize, cpu: uint64(p.cpu / time.Second)}, started)
	err = <-started
	_ = w.Close()
	if err != nil {
		p.kill()
		_ = stdout.Close()
		return nil, err
	}
	return p, nil
}

// run starts the process and waits for it. It keeps its OS thread: on Linux, a process that dies with its parent dies with
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
		p.err = nil // it ended well; another process holds its pipe open
	}
	p.ending = p.whyEnded(cmd.ProcessState)
	if p.ending > failed {
		_ = p.stdout.Close() // unblocks the reader even if another process holds the other end
	}
	close(p.done)
}

// Read reads standard output. It returns io.EOF however the process ended; wait returns how. A timer limits the wait, because pipes have no
// deadlines on Windows: it kills the process, which ends the read.
func (p *process) Read(b []byte) (int, error) {
	begin := time.Now()
	p.timer.Reset(p.waitLeft)
	n, _ := p.stdout.Read(b)
	p.timer.Stop()
	p.waitLeft -= time.Since(begin)
	if n > 0 {
		return n, nil
	}
	return 0, io.EOF
}

// wait waits for the process and returns how it ended.
func (p *process) wait() ending {
	timer := time.NewTimer(max(p.waitLeft, 0))
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

// close kills the process if it still runs, and returns how it ended.
func (p *process) close() ending {
	p.kill()
	<-p.done
	_ = p.stdout.Close()
	return p.result()
}

// result returns how the process ended. A process that was given up on may have succeeded a moment later; its last output
// wasn't read, so that counts as late.
func (p *process) result() ending {
	if p.late.Load() && p.ending != wasStopped {
		return wasLate
	}
	return p.ending
}

// ending is why a process ended.
type ending int

const (
	succeeded  ending = iota // exit status 0
	failed                   // any other status, or a crash
	wasClosed                // we killed it because its output is no longer needed
	wasLate                  // we killed it because the reader waited too long
	wasKilled                // another process killed it: mostly the system, for memory
	wasCostly                // the system killed it because it used up its CPU time
	wasStopped               // the caller's context ended
)

func (p *process) whyEnded(s *os.ProcessState) ending {
	switch {
	case p.err == nil:
		return succeeded
	case p.caller.Err() != nil:
		return wasStopped
	case p.own.Err() != nil:
		return wasClosed
	case tookCPU(p.err), p.usedUp(s) && (s.ExitCode() == exitBySignal || killed(p.err)):
		return wasCostly
	case killed(p.err):
		return wasKilled
	}
	return failed
}

// exitBySignal is ffmpeg's status after a signal that it handles, SIGXCPU among them.
const exitBySignal = 255

// usedUp reports whether a process had about the CPU time of its limit. The kernel counts it in ticks, which run fast or slow on a busy
// machine.
func (p *process) usedUp(s *os.ProcessState) bool {
	return s.UserTime()+s.SystemTime() >= p.cpu*3/4
}

// cause returns the details for the log: the exit status and the last output of the process.
func (p *process) cause() error {
	output := p.stderr.String()
	switch {
	case output == "":
		return p.err
	case p.err == nil:
		return errors.New(output)
	}
	return errors.Join(p.err, errors.New(output))
}

// environment returns the variables that a process for untrusted media gets: no secrets, and nothing that makes ffmpeg write
// log files.
func environment() []string {
	names := []string{"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT"}
	return slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return !slices.Contains(names, strings.ToUpper(name))
	})
}
