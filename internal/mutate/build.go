package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Dir, Name string
	GoFiles, CgoFiles     []string
	TestGoFiles           []string
	XTestGoFiles          []string
	Module                struct{ Path, Dir string }
}

// folder returns the folder of the package in the module, such as engine/queue.
func (p *pkg) folder() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func list(ctx context.Context, patterns []string) (all []*pkg, err error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json"}, patterns...)...)
	cmd.Stderr = &stderr
	answer, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	for dec := json.NewDecoder(bytes.NewReader(answer)); dec.More(); {
		p := &pkg{}
		if err := dec.Decode(p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// workshop builds a package with other files in the place of its own.
type workshop struct {
	*pkg
	tests []*pkg // packages whose tests run
	tmp   string
}

// overlay writes the files, by base name, and returns the flag with which the go command uses them.
func (w *workshop) overlay(files map[string]string) (string, error) {
	replaced := map[string]string{}
	for name, text := range files {
		to := filepath.Join(w.tmp, name)
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replaced[filepath.Join(w.Dir, name)] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	path := filepath.Join(w.tmp, "overlay.json")
	return "-overlay=" + path, os.WriteFile(path, text, 0o600)
}

// complaint matches the position of a compiler's message.
var complaint = regexp.MustCompile(`(?m)^\S*?([^/\s:]+\.go):(\d+):\d+: `)

// position is a line of a file.
type position struct {
	file string
	line int
}

// check compiles the package, and returns where the compiler found errors.
func (w *workshop) check(ctx context.Context, flag string) (errs []position, err error) {
	out, err := exec.CommandContext(ctx, "go", "build", flag, "-gcflags=-e", w.ImportPath).CombinedOutput()
	if err == nil {
		return nil, nil
	}
	for _, m := range complaint.FindAllSubmatch(out, -1) {
		line, _ := strconv.Atoi(string(m[2]))
		errs = append(errs, position{string(m[1]), line})
	}
	if len(errs) == 0 {
		return nil, fmt.Errorf("go build: %w: %s", err, out)
	}
	return errs, nil
}

// program is a compiled test program of one package.
type program struct {
	path, dir string
	limit     time.Duration // the tests fail after it; 0 before the first run
}

// build compiles the test programs. It fails if one doesn't compile.
func (w *workshop) build(ctx context.Context, flag string) (all []*program, err error) {
	for i, p := range w.tests {
		to := filepath.Join(w.tmp, fmt.Sprint(i, ".test"))
		out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", flag, "-o", to, p.ImportPath).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("go test -c: %w: %s", err, out)
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			all = append(all, &program{path: to, dir: p.Dir})
		}
	}
	return all, nil
}

// memoryKiB limits a test program's virtual memory, because a mutant can allocate without end.
const memoryKiB = 8 << 20

// passes runs the tests with a mutant and reports whether all pass. The output is that of the tests.
func (p *program) passes(ctx context.Context, tmp string, id int) (bool, string, error) {
	limit := p.limit
	if limit == 0 {
		limit = 5 * time.Minute
	}
	home, err := os.MkdirTemp(tmp, "run")
	if err != nil {
		return false, "", err
	}
	defer os.RemoveAll(home)
	run, cancel := context.WithTimeout(ctx, limit+10*time.Second)
	defer cancel()
	script := fmt.Sprintf(`ulimit -v %d 2>/dev/null; exec "$0" "$@"`, memoryKiB)
	cmd := exec.CommandContext(run, "sh", "-c", script, p.path, "-test.short", "-test.failfast", "-test.timeout="+limit.String())
	cmd.Dir, cmd.WaitDelay = p.dir, 5*time.Second
	cmd.Env = append(os.Environ(), "TMPDIR="+home, selectVariable+"="+strconv.Itoa(id))
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && run.Err() == nil {
		return false, "", err
	}
	return err == nil, string(out), ctx.Err()
}
