// Package leaks checks that a test leaves nothing behind: no goroutine, descriptor, child process, file, or memory. Call Check first, so that
// it looks after every other cleanup of the test:
//
//	func TestCampaign(t *testing.T) { // not parallel
//		temp := t.TempDir()
//		leaks.Check(t, temp)
//		…
//	}
//
// Descriptors and child processes are counted on Linux only.
package leaks

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Margin is how much the memory in use may grow, in bytes: caches and pools keep some.
const Margin = 32 << 20

// patience is how long things may take to end.
const patience = time.Minute

// Check fails the test if, at its end, there is more than now. It waits up to a minute for what is about to end. Parallel tests disturb each
// other, so the test must not be parallel. folders are those whose files are compared.
func Check(t testing.TB, folders ...string) {
	t.Helper()
	before := Take(folders...)
	t.Cleanup(func() {
		if err := before.Wait(patience); err != nil {
			t.Errorf("the test left something behind: %v", err)
		}
	})
}

// Baseline is what a process had at one time.
type Baseline struct {
	goroutines  int
	descriptors []string
	children    []string
	files       []string
	folders     []string
	heap        uint64 // bytes
}

// Take returns what the process and the folders have now.
func Take(folders ...string) Baseline {
	http.DefaultClient.CloseIdleConnections()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Baseline{runtime.NumGoroutine(), descriptors(), children(), filesIn(folders), folders, m.HeapAlloc}
}

// Wait waits until there is no more than in b, at most for a limit. The error lists what is left.
func (b Baseline) Wait(limit time.Duration) error {
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; ; pause = min(2*pause, time.Second) {
		err := b.compare(Take(b.folders...))
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(min(pause, time.Until(deadline)+time.Millisecond))
	}
}

// compare lists what now has more than b.
func (b Baseline) compare(now Baseline) error {
	var errs []error
	if now.goroutines > b.goroutines {
		errs = append(errs, fmt.Errorf("%d goroutines, before %d:\n%s", now.goroutines, b.goroutines, stacks()))
	}
	if len(now.descriptors) > len(b.descriptors) { // numbers and addresses change, so only the count can be compared
		errs = append(errs, fmt.Errorf("%d descriptors, before %d: %s", len(now.descriptors), len(b.descriptors), strings.Join(now.descriptors, ", ")))
	}
	if more := added(b.children, now.children); len(more) > 0 {
		errs = append(errs, fmt.Errorf("child processes %s", strings.Join(more, ", ")))
	}
	if more := added(b.files, now.files); len(more) > 0 {
		errs = append(errs, fmt.Errorf("files %s", strings.Join(more, ", ")))
	}
	if now.heap > b.heap+Margin {
		errs = append(errs, fmt.Errorf("%d MiB of memory, before %d MiB", now.heap>>20, b.heap>>20))
	}
	return errors.Join(errs...)
}

// added returns the elements of now that before doesn't have.
func added(before, now []string) []string {
	return slices.DeleteFunc(slices.Clone(now), func(s string) bool { return slices.Contains(before, s) })
}

// filesIn returns the paths in folders, without the folders themselves.
func filesIn(folders []string) (paths []string) {
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err == nil && path != folder {
				paths = append(paths, path)
			}
			return nil // a file that was deleted meanwhile is no leak
		})
	}
	return paths
}

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	b := make([]byte, 1<<20)
	return b[:runtime.Stack(b, true)]
}
