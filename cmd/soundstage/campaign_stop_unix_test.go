//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// stopped counts what TestCampaignStoppedWorkers has seen.
type stopped struct {
	t                      *testing.T
	rng                    *rand.Rand
	kinds                  map[string]int
	outputs, lost, refused int
	tomorrow               int // jobs that waited until a clock that had jumped ahead was reached
}

// Two engines in processes of their own share a store. One is stopped past its leases, or its clock jumps by a day. Then the other one does
// its jobs, the fence refuses what the first one still writes, and every job ends once.
func TestCampaignStoppedWorkers(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits until leases expire")
	s := &stopped{t: t, rng: campaignRandom(4 << 32), kinds: map[string]int{}}
	n := campaignCycles(2)
	for left := n; left > 0; left -= 10 { // with new processes, because every write sends all rows
		s.round(min(left, 10))
	}
	for more := 20; s.refused == 0 && more > 0; more-- {
		s.round(1)
	}
	t.Logf("%d cycles %v, %d outputs, %d leases lost, %d writes refused by the fence, %d jobs waited for a clock that had jumped ahead",
		n, s.kinds, s.outputs, s.lost, s.refused, s.tomorrow)
	require.Positive(t, s.lost)
	require.Positive(t, s.refused)
}

// round runs cycles with one store and two workers.
func (s *stopped) round(cycles int) {
	rows := newSharedRows(s.t)
	pair := [2]*workerProcess{startWorker(s.t, rows.URL), startWorker(s.t, rows.URL)}
	for range cycles {
		for i := range 6 {
			pair[i%2].order(fmt.Sprintf("output-%d", s.outputs))
			s.outputs++
		}
		victim := s.rng.IntN(2)
		s.someWrites(rows)
		switch s.rng.IntN(3) {
		case 0:
			s.kinds["stopped"]++
			pair[victim].signal(syscall.SIGSTOP)
			s.untilDone(rows)
			pair[victim].signal(syscall.SIGCONT)
		case 1:
			s.kinds["a day ahead"]++
			s.jump(rows, pair, victim, 24*time.Hour)
		default:
			s.kinds["a day behind"]++
			s.jump(rows, pair, victim, -24*time.Hour)
		}
		s.untilDone(rows)
	}
	for _, w := range pair {
		w.end()
	}
	s.check(rows)
}

// someWrites waits for a random number of writes, or until nothing is left to do.
func (s *stopped) someWrites(rows *sharedRows) {
	from := rows.writes()
	n := s.rng.IntN(12)
	eventually(s.t, "writes", func() (string, bool) {
		now := rows.writes()
		return fmt.Sprint(now - from), now-from >= n || len(rows.pending()) == 0
	})
}

// jump moves a worker's clock, and back at a random moment. Jobs that are then due a day later run when the clocks of both reach that day.
func (s *stopped) jump(rows *sharedRows, pair [2]*workerProcess, victim int, by time.Duration) {
	pair[victim].setClock(by)
	s.someWrites(rows)
	pair[victim].setClock(0)
	soon := time.Now().Add(time.Hour)
	waits := 0
	eventually(s.t, "jobs", func() (string, bool) {
		waits = 0
		left := rows.pending()
		for _, j := range left {
			if j.RunAt.After(soon) || j.LeaseUntil.After(soon) {
				waits++
			}
		}
		return fmt.Sprint(left), waits == len(left)
	})
	s.tomorrow += waits
	if waits > 0 {
		pair[0].setClock(25 * time.Hour)
		pair[1].setClock(25 * time.Hour)
		s.untilDone(rows)
		pair[0].setClock(0)
		pair[1].setClock(0)
	}
}

func (s *stopped) untilDone(rows *sharedRows) {
	eventually(s.t, "jobs", func() (string, bool) { left := rows.pending(); return fmt.Sprint(left), len(left) == 0 })
}

// check fails the test unless every output is completed and has one event.
func (s *stopped) check(rows *sharedRows) {
	rows.mu.Lock()
	defer rows.mu.Unlock()
	require.Empty(s.t, rows.wrong)
	for id, o := range rows.outputs {
		require.Equal(s.t, engine.OutputCompleted, o.Status, id)
		require.Len(s.t, rows.hooks[id], 1, id)
	}
	require.Len(s.t, rows.hooks, len(rows.outputs))
	s.lost += rows.lost
	s.refused += rows.refused
}

// workerProcess is a process that runs runWorker.
type workerProcess struct {
	t      *testing.T
	cmd    *exec.Cmd
	offset string // file
	in     io.WriteCloser
	out    *bufio.Scanner
}

func startWorker(t *testing.T, url string) *workerProcess {
	t.Helper()
	w := &workerProcess{t: t, offset: filepath.Join(t.TempDir(), "offset")}
	w.setClock(0)
	w.cmd = exec.Command(os.Args[0], url, w.offset)
	w.cmd.Env = append(os.Environ(), "SOUNDSTAGE_TEST_MAIN=worker")
	w.cmd.Stderr = os.Stderr
	var err error
	w.in, err = w.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := w.cmd.StdoutPipe()
	require.NoError(t, err)
	w.out = bufio.NewScanner(out)
	require.NoError(t, w.cmd.Start())
	t.Cleanup(func() { _ = w.cmd.Process.Kill() }) // also of a stopped process
	return w
}

// order makes the worker queue an output.
func (w *workerProcess) order(name string) {
	w.t.Helper()
	_, err := fmt.Fprintln(w.in, name)
	require.NoError(w.t, err)
	require.True(w.t, w.out.Scan(), "the worker ended")
	require.Equal(w.t, name, w.out.Text())
}

// setClock sets the difference between the worker's clock and the wall clock.
func (w *workerProcess) setClock(offset time.Duration) {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(w.offset+".new", []byte(offset.String()), 0o600))
	require.NoError(w.t, os.Rename(w.offset+".new", w.offset))
}

func (w *workerProcess) signal(s syscall.Signal) {
	w.t.Helper()
	require.NoError(w.t, w.cmd.Process.Signal(s))
}

// end ends the worker and waits until it has stopped its jobs.
func (w *workerProcess) end() {
	w.t.Helper()
	require.NoError(w.t, w.in.Close())
	require.False(w.t, w.out.Scan())
	require.NoError(w.t, w.cmd.Wait())
}
