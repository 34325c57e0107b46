// Command limits measures the roads of docs/benchmarks.md next to the least that their work can cost, and writes the table of the page:
//
//	go run ./internal/limits [-rows get,start] docs/benchmarks.md
//
// Each row runs the real thing and its limit in the same run, in turns. Rows that aren't measured keep their line.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("rows", "", "rows to measure, separated by commas: "+strings.Join(keys(), ", ")+"; default all")
	flag.Parse()
	if err := run(*only, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "limits:", err)
		os.Exit(1)
	}
}

func keys() (all []string) {
	for _, r := range rows() {
		if r.show != nil {
			all = append(all, r.key)
		}
	}
	return all
}

func run(only, page string) error {
	chosen, err := choose(only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("the page can't be read: %w (run it in the folder of go.mod, with docs/benchmarks.md)", err)
	}
	old, err := linesOf(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	began, load := time.Now(), loadAverage()
	measured, ran, failed := map[string]metrics{}, map[string]metrics{}, error(nil)
	for _, r := range rows() {
		if !slices.Contains(chosen, r.key) {
			continue
		}
		all := metrics{}
		for _, c := range r.commands {
			line := strings.Join(c.args(), " ")
			if ran[line] == nil { // rows may share a benchmark
				fmt.Fprintf(os.Stderr, "%4.0f s: %s: go %s\n", time.Since(began).Seconds(), r.key, line)
				if ran[line], err = c.run(); err != nil {
					failed = fmt.Errorf("row %s keeps its line: %w", r.key, err)
					fmt.Fprintln(os.Stderr, "limits:", failed)
					all = nil
					break
				}
			}
			for unit, v := range ran[line] {
				all[c.prefix+unit] = v
			}
		}
		if all == nil {
			continue
		}
		measured[r.key] = all
		changed, err := withTable(string(text), table(machine(load, began), aboutOf(string(text)), measured, old))
		if err != nil {
			return err
		}
		if err := os.WriteFile(page, []byte(changed), 0o644); err != nil { // after each row, so that an interrupt loses only one
			return err
		}
	}
	return failed
}

// table returns the table, and above it when and where it was measured. Rows that weren't measured keep their line, and what was said about them.
func table(about, before string, measured map[string]metrics, old map[string]string) string {
	lines, kept := "", 0
	for _, r := range rows() {
		if measured[r.key] == nil && r.show != nil {
			kept++
		}
		lines += r.line(measured[r.key], old[r.road]) + "\n"
	}
	if kept > 0 {
		about = strings.TrimSpace(before + "\nOnly " + strings.Join(slices.Sorted(maps.Keys(measured)), ", ") + ": m" + strings.TrimPrefix(about, "M"))
	}
	return "<!-- written by make limits -->\n" + about + "\n\n" + tableHead + lines
}

func choose(only string) ([]string, error) {
	if only == "" {
		return keys(), nil
	}
	chosen := strings.Split(only, ",")
	for _, key := range chosen {
		if !slices.Contains(keys(), key) {
			return nil, fmt.Errorf("there is no row %q; choose from %s", key, strings.Join(keys(), ", "))
		}
	}
	return chosen, nil
}

// machine describes when and on what the rows were measured.
func machine(load string, began time.Time) string {
	ffmpeg, _ := exec.Command("ffmpeg", "-version").Output()
	version := strings.Fields(string(ffmpeg) + " - - -")[2]
	return fmt.Sprintf("Measured on %s in %.0f min: %s/%s, %d processors, %s, ffmpeg %s. Other programs used the machine: the load was %s before and %s after.",
		began.Format("2006-01-02"), time.Since(began).Minutes(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), version, load, loadAverage())
}

// loadAverage returns the load of the last minute, or "unknown".
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if f := bytes.Fields(raw); err == nil && len(f) > 0 {
		return string(f[0])
	}
	return "unknown"
}
