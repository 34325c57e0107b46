package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// command is a benchmark that reports figures.
type command struct {
	pkg, bench string
	more       []string // arguments of the test binary
	prefix     string   // of the metrics, so that two commands of a row may report the same
}

func (c command) args() []string {
	return append([]string{"test", c.pkg, "-run", "^$", "-bench", c.bench, "-benchtime", "1x", "-timeout", "20m"}, c.more...)
}

// run returns the figures of a command.
func (c command) run() (metrics, error) {
	cmd := exec.Command("go", c.args()...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the program that users get
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(c.args(), " "), err, out.String())
	}
	found := parse(out.String())
	if len(found) == 0 {
		return nil, fmt.Errorf("go %s printed no figures:\n%s", strings.Join(c.args(), " "), out.String())
	}
	return found, nil
}

// metrics are figures by unit.
type metrics map[string]float64

// parse returns the figures of a benchmark's lines: "BenchmarkX-2  1  1.5 ratio  3 MB".
func parse(out string) metrics {
	all := metrics{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				all[f[i+1]] = v
			}
		}
	}
	return all
}

// spread returns a ratio and its quartiles: "1.23 (1.19–1.31)".
func (m metrics) spread(unit string) string {
	return fmt.Sprintf("%.3g (%.3g–%.3g)", m[unit], m[unit+"-low"], m[unit+"-high"])
}
