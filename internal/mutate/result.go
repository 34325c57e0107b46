package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// score says how many mutants of a file were tried and how many of them killed.
type score struct {
	name            string
	killed, decided int
}

// result is the score of each file of a package.
type result struct {
	folder string
	files  []score
}

func (r *result) total() (killed, decided int) {
	for _, f := range r.files {
		killed, decided = killed+f.killed, decided+f.decided
	}
	return killed, decided
}

// summary lists the scores for people.
func (r *result) summary() string {
	var b strings.Builder
	for _, f := range r.files {
		fmt.Fprintf(&b, "%-32s %3d of %3d\n", r.folder+"/"+f.name, f.killed, f.decided)
	}
	killed, decided := r.total()
	fmt.Fprintf(&b, "%-32s %3d of %3d killed", r.folder, killed, decided)
	if decided > 0 {
		fmt.Fprintf(&b, " (%d %%)", killed*100/decided)
	}
	return b.String()
}

// row is the package's row of the table in docs/benchmarks.md.
func (r *result) row(o options, now time.Time) string {
	var files []string
	for _, f := range r.files {
		files = append(files, fmt.Sprintf("%s %d/%d", strings.TrimSuffix(f.name, ".go"), f.killed, f.decided))
	}
	killed, decided := r.total()
	run := fmt.Sprintf("N=%d SEED=%d", o.sample, o.seed)
	if len(o.with) > 0 {
		run += fmt.Sprintf(" WITH=%q", strings.Join(o.with, " "))
	}
	return fmt.Sprintf("| `%s` | %d/%d | %s | `%s` | %s |", r.folder, killed, decided, strings.Join(files, ", "), run, now.Format(time.DateOnly))
}

// The table of a page is between these lines. It is sorted by package.
const tableBegin, tableEnd = "<!-- mutants:begin -->\n", "<!-- mutants:end -->"

// write puts the package's row into the table of the page that the options name, if any.
func (r *result) write(o options) error {
	if o.page == "" {
		return nil
	}
	text, err := os.ReadFile(o.page)
	if err != nil {
		return err
	}
	changed, err := withRow(string(text), r.row(o, time.Now()))
	if err != nil {
		return fmt.Errorf("%s: %w", o.page, err)
	}
	return os.WriteFile(o.page, []byte(changed), 0o644)
}

// withRow returns a page with a row in its place; the row of the same package goes.
func withRow(page, row string) (string, error) {
	before, rest, ok := strings.Cut(page, tableBegin)
	table, after, closed := strings.Cut(rest, tableEnd)
	if !ok || !closed {
		return "", fmt.Errorf("the page lacks %q or %q", strings.TrimSpace(tableBegin), tableEnd)
	}
	key := func(row string) string { return strings.Split(row, "|")[1] }
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if len(lines) < 2 {
		return "", fmt.Errorf("the table has no head")
	}
	kept, placed := lines[:2:2], false
	for _, line := range lines[2:] {
		if !placed && key(row) <= key(line) {
			kept, placed = append(kept, row), true
		}
		if key(line) != key(row) {
			kept = append(kept, line)
		}
	}
	if !placed {
		kept = append(kept, row)
	}
	return before + tableBegin + strings.Join(kept, "\n") + "\n" + tableEnd + after, nil
}
